import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { aDatabaseOfTheApp, type InstalledApp } from "./installed-app";

/** `handrail verify` of the installed package, on the TypeScript of the app. */
export function verifyCases(appOf: () => InstalledApp): void {
  describe("handrail verify", () => {
    it("finds the mail that is sent twice, and nothing once it is declared so", ({ onTestFinished }) =>
      verifies(appOf(), onTestFinished));
    it("finds what a deploy would do to the runs of an older build", ({ onTestFinished }) =>
      verifiesDeploys(appOf(), onTestFinished));
    it("says what to write without a verification", ({ onTestFinished }) => saysWhatToWrite(appOf(), onTestFinished));
  });
}

const WORKFLOW = (options: string) => `import { defineWorkflow } from "handrail";
import { z } from "zod";

export const letter = defineWorkflow({ name: "letter", input: z.object({ to: z.string() }) }, async (ctx, { to }) => {
  const { post } = ctx.services as unknown as { post: { send(to: string): Promise<void> } };
  await ctx.step("send", () => post.send(to)${options});
});
`;
const VERIFICATION = `import { defineVerification } from "handrail/verify";
import { letter } from "./letter";

export default defineVerification(letter, {
  inputs: [{ to: "Ada" }],
  world: () => {
    const sent: string[] = [];
    return { services: { post: { send: async (to: string) => void sent.push(to) } }, observe: () => sent };
  },
});
`;

async function verifies(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env } = await aDatabaseOfTheApp(atEnd);
  const cwd = path.join(app.folder, "verified");
  await mkdir(cwd);
  await writeFile(path.join(cwd, "letter.ts"), WORKFLOW(""));
  await writeFile(path.join(cwd, "letter.verify.ts"), VERIFICATION);
  const found = await app
    .handrail("verify letter --junit verify.xml --html verify.html", { cwd, env })
    .catch((error) => error);
  expect(found.stdout).toMatch(/^letter v1 · 1 step · 1 input · \d+ trials · [\d.]+ s on PostgreSQL /);
  expect(found.stdout).toMatch(/✗ send {2}happened twice.*worker dies after the body.*\n.* letter\.ts:6\n/);
  expect(found.code).toBe(1);
  expect(await readFile(path.join(cwd, "verify.xml"), "utf8")).toContain("<failure message=");
  expect(await readFile(path.join(cwd, "verify.html"), "utf8")).toContain("<h1>0 of 1 workflows are retry-safe</h1>");
  await writeFile(path.join(cwd, "letter.ts"), WORKFLOW(', { effect: "once" }'));
  const { stdout } = await app.handrail("verify --json", { cwd, env });
  expect(JSON.parse(stdout)).toMatchObject({ workflow: "letter", findings: [], asked: [{ step: "send" }] });
  await writeFile(path.join(cwd, "a.verify.ts"), VERIFICATION.replace('{ to: "Ada" }', "{ to: 1 as never }"));
  const refused = await app.handrail("verify", { cwd, env }).catch((error) => error);
  expect(refused.stderr).toContain('a.verify.ts: The input does not fit workflow "letter"');
  expect(refused.stdout).toMatch(/^letter v1 · 1 step/);
  expect(refused.code).toBe(1);
}

async function verifiesDeploys(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env } = await aDatabaseOfTheApp(atEnd);
  const cwd = path.join(app.folder, "deployed");
  const older = path.join(app.folder, "released");
  for (const [folder, step] of [
    [cwd, "post"],
    [older, "send"],
  ] as const) {
    await mkdir(folder);
    await writeFile(path.join(folder, "letter.ts"), WORKFLOW(', { effect: "once" }').replace('"send"', `"${step}"`));
    await writeFile(path.join(folder, "letter.verify.ts"), VERIFICATION);
  }
  await writeFile(path.join(cwd, "new.ts"), WORKFLOW(', { effect: "once" }').replace('"letter"', '"new"'));
  await writeFile(path.join(cwd, "new.verify.ts"), VERIFICATION.replace('"./letter"', '"./new"'));
  const verify = (words: string) => app.handrail(`verify ${words}`, { cwd, env }).catch((error) => error);
  const { code, stdout, stderr } = await verify("--against ../released");
  expect(stdout).toMatch(/^letter v1 against v1 · 1 step/);
  expect(stdout).toContain('would run "post" without step "send"');
  expect(stdout).toMatch(/^new v1 · 1 step/m);
  expect(stderr).toContain("../released has no older build of it.");
  expect(code).toBe(1);
  const missing = await verify("--against ../nowhere");
  expect(`${missing.code} ${missing.stderr}`).toMatch(
    /^1 .*There is no folder \.\.\/nowhere\. --against takes one with an older build/s,
  );
}

async function saysWhatToWrite(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env } = await aDatabaseOfTheApp(atEnd);
  const cwd = path.join(app.folder, "unverified");
  await mkdir(cwd);
  const said = (words: string) => app.handrail(words, { cwd, env }).catch(({ code, stderr }) => `${code} ${stderr}`);
  expect(await said("verify")).toMatch(/^1 There is no file \*\.verify\.ts in .*defineVerification\(hello, /s);
  expect(await said("verify --trial one")).toMatch(/^2 --trial is a whole number/);
  await writeFile(path.join(cwd, "none.verify.mjs"), "export default 1;\n");
  expect(await said("verify")).toMatch(/^1 The default export of none\.verify\.mjs is no verification/);
}
