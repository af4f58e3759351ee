import type { SeenApp } from "./see-app";

/** A file of the app, and its text. */
export interface Written {
  file: string;
  text: string;
}

type Seen = SeenApp & { typescript: boolean };

/** The configuration, one workflow, its test, and what compiles them where nothing does. */
export function filesOf(app: Seen): Written[] {
  const ending = app.typescript ? "ts" : app.isModule ? "js" : "mjs";
  const workflows = `${app.sources}workflows`;
  const fromConfig = app.configIn === app.sources ? "./workflows" : `./${workflows}`;
  const files = [
    { file: `${app.configIn}handrail.config.${ending}`, text: config(app, `${fromConfig}/hello${importEnding(app)}`) },
    { file: `${workflows}/hello.${ending}`, text: WORKFLOW },
    { file: `${workflows}/hello.test.${ending}`, text: test(app, `./hello${importEnding(app)}`) },
  ];
  return app.typescript && !app.hasTsconfig ? [...files, { file: "tsconfig.json", text: TSCONFIG }] : files;
}

const importEnding = ({ typescript, isModule, namesEndings }: Seen) =>
  typescript ? (namesEndings ? ".js" : "") : isModule ? ".js" : ".mjs";

/** For package.json. */
export function scriptsOf(app: Seen): Record<string, string> {
  const node = app.typescript ? "node --import handrail/register" : "node";
  const tests = `${app.sources}workflows/*.test.${app.typescript ? "ts" : app.isModule ? "js" : "mjs"}`;
  return {
    "handrail:dev": "handrail dev",
    "handrail:migrate": "handrail migrate",
    "handrail:worker": "handrail worker",
    ...(!app.usesVitest && { "handrail:test": `${node} --test --test-concurrency=1 ${tests}` }),
  };
}

function config({ library }: Seen, hello: string): string {
  const transactions = library
    ? `
  // With ${library.name}'s own transactions in \`ctx.transaction\` and \`start(…, { tx })\`:
  // import { ${library.adapter} } from "handrail/${library.entry}";
  // transactions: ${library.adapter}(${library.client}),`
    : "";
  return `import { defineConfig } from "handrail/config";
import { hello } from "${hello}";

/** What workers run. \`createHandrail\` takes the same, where the app starts runs. */
export default defineConfig({
  workflows: [hello],${transactions}
});
`;
}

const WORKFLOW = `import { defineWorkflow } from "handrail";
import { z } from "zod";

/** A first workflow. The outcome of each step is kept: after a crash or a restart, it goes on where it was. */
export const hello = defineWorkflow(
  { name: "hello", title: "Hello", input: z.object({ name: z.string().min(1) }), tags: ({ name }) => ({ name }) },
  async (ctx, { name }) => {
    const greeting = await ctx.step("greet", () => \`Hello \${name}\`);
    await ctx.sleep("a-moment", "30s");
    const goodbye = await ctx.step("part", () => \`Goodbye \${name}\`);
    return { greeting, goodbye };
  },
);
`;

const ENGINE = (hello: string) => `import { createTestDatabase, TestEngine } from "handrail/testing";
import { hello } from "${hello}";`;

const BODY = `  // Of its own: on the PostgreSQL of TEST_DATABASE_URL, or on an embedded one.
  const database = await createTestDatabase(process.env.TEST_DATABASE_URL);
  const engine = await TestEngine.start({ databaseUrl: database.url, workflows: [hello] });
  try {
    const runId = await engine.start(hello, { name: "Ada" });
    engine.dieAt("step:after-body", "greet");
    await engine.advance("30s");
    const { status, output } = await engine.run(runId);`;

const END = `  } finally {
    await engine.stop();
    await database.drop();
  }
`;

const TITLE = "greets, goes on after a crash, and parts after half a minute";

function test({ usesVitest }: Seen, hello: string): string {
  return usesVitest
    ? `${ENGINE(hello)}
import { expect, it } from "vitest";

it("${TITLE}", async () => {
${BODY}
    expect({ status, output }).toEqual({
      status: "completed",
      output: { greeting: "Hello Ada", goodbye: "Goodbye Ada" },
    });
${END}});
`
    : `import assert from "node:assert/strict";
import { test } from "node:test";
${ENGINE(hello)}

test("${TITLE}", async () => {
${BODY}
    assert.equal(status, "completed");
    assert.deepEqual(output, { greeting: "Hello Ada", goodbye: "Goodbye Ada" });
${END}});
`;
}

const TSCONFIG = `{
  "compilerOptions": {
    "module": "nodenext",
    "noEmit": true,
    "skipLibCheck": true,
    "strict": true,
    "target": "es2023",
    "types": ["node"]
  }
}
`;
