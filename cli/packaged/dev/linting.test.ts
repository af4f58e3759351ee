import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Screen } from "../../output/screen";
import { openLinting } from "./linting";

const WORKFLOW = `import { defineWorkflow } from "handrail";
export default defineWorkflow({ name: "hello", input }, async (ctx) => {
  ctx.step("greet", () => "Hello");
  return Date.now();
});
`;
const SAID = [
  "! ctx.step(…) is not awaited: await it, return it, or hand it to Promise.all. See docs/eslint.md#await-steps",
  '    hello.js:3:3  ctx.step("greet", () => "Hello");',
  expect.stringContaining("! Date.now() between steps"),
  "    hello.js:4:10  return Date.now();",
];

/** An app with this repository's ESLint, unless `eslint` is false. */
async function anApp(files: Record<string, string>, eslint = true) {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-lint-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, "node_modules"));
  if (eslint) await symlink(path.resolve("node_modules/eslint"), path.join(folder, "node_modules/eslint"));
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
  for (const [name, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files }))
    await write(name, text);
  const said: string[] = [];
  const screen = { paint: (_: string, text: string) => text, line: (text: string) => said.push(text) };
  const lint = openLinting(screen as unknown as Screen, folder);
  return { said, write, lint: () => lint([path.join(folder, "hello.js")]) };
}

it("says what the rules find, with the line, and the same file once", async () => {
  const { said, write, lint } = await anApp({ "hello.js": WORKFLOW });
  await lint();
  await lint();
  expect(said).toEqual(SAID);
  await write("hello.js", WORKFLOW.replace("ctx.step", "await ctx.step"));
  await lint();
  expect(said.slice(SAID.length)).toEqual([SAID[2], SAID[3]]);
});

it("says nothing in an app without ESLint", async () => {
  const { said, lint } = await anApp({ "hello.js": WORKFLOW }, false);
  await lint();
  expect(said).toEqual([]);
});

it("goes by the app's configuration: rules of others are not run, and where it names ours, those alone", async () => {
  const others = 'export default [{ rules: { "no-undef": "error" } }];';
  const withOthers = await anApp({ "hello.js": WORKFLOW, "eslint.config.js": others });
  await withOthers.lint();
  expect(withOthers.said).toEqual(SAID);
  const theirs = `const recommended = { plugins: { handrail: { rules: { "await-steps": { create: (context) => ({ Program(node) { context.report({ node, message: "theirs" }); } }) } } } } };
export default [recommended, { rules: { "handrail/await-steps": "warn" } }];`;
  const chosen = await anApp({ "hello.js": WORKFLOW, "eslint.config.js": theirs });
  await chosen.lint();
  expect(chosen.said).toEqual(["! theirs", '    hello.js:1:1  import { defineWorkflow } from "handrail";']);
});

it("says once that a configuration is broken, and nothing of a file that it ignores", async () => {
  const broken = await anApp({ "hello.js": WORKFLOW, "eslint.config.js": "export default [{ rules: 1 }];" });
  await broken.lint();
  await broken.write("hello.js", `${WORKFLOW}// again\n`);
  await broken.lint();
  expect(broken.said).toEqual([expect.stringMatching(/^ESLint does not check the workflows: .*rules/s)]);
  const ignored = await anApp({
    "hello.js": WORKFLOW,
    "eslint.config.js": 'export default [{ ignores: ["hello.js"] }];',
  });
  await ignored.lint();
  expect(ignored.said).toEqual([]);
});
