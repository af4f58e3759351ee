import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Linter } from "eslint";
import { expect, it } from "vitest";
import { typescriptParser } from "../testing/eslint/typescript-parser";
import { recommended, rules } from "./eslint";
import type { SourceCode } from "./syntax";
import { workflowsOf } from "./workflows";

/** What has workflows that are right. */
const FOLDERS = ["demo/workflows", "examples", "lib/operator/notices", "proof/conformance"];
const SOURCE = /(?<!\.test|\.d)\.[cm]?[jt]s$/;

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "dist", ".next"].includes(name))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(file);
      return SOURCE.test(entry.name) ? file : [];
    });

const pagesBelow = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join(folder, name));

/** Code without the workflow around it is put into one. */
const blocksOf = (page: string) =>
  [...readFileSync(page, "utf8").matchAll(/```(?:ts|js)\n(.*?)```/gs)].map(([, code = ""], index) => ({
    where: `${page}, block ${index + 1}`,
    code:
      /\bctx\./.test(code) && !/\bimport\b|Workflow\(|\.workflow\(/.test(code)
        ? `defineWorkflow({}, async (ctx) => {${code}})`
        : code,
  }));

const linter = new Linter();
let handlers = 0;
const counting = {
  meta: { schema: [] },
  create: (context: { sourceCode: unknown }) => ({
    Program() {
      handlers += workflowsOf(context.sourceCode as SourceCode).handlers.size;
    },
  }),
};

/** What ESLint says, with all rules on. A piece of code that cannot be read by itself may have no steps. */
const findingsIn = ({ where, code }: { where: string; code: string }) =>
  linter
    .verify(
      code,
      [
        recommended,
        { plugins: { test: { rules: { counting } } }, rules: { "test/counting": "error" } },
        { files: ["**/*.ts"], languageOptions: { parser: typescriptParser } },
      ],
      "workflow.ts",
    )
    .filter(({ fatal }) => !fatal || code.includes("ctx."))
    .map(({ line, ruleId, message }) => `${where}:${line} ${ruleId} ${message}`);

it("no rule reports anything in a workflow of the demo, the examples and the documents", () => {
  const files = FOLDERS.flatMap(filesBelow).map((where) => ({ where, code: readFileSync(where, "utf8") }));
  const blocks = ["README.md", ...pagesBelow("docs")].flatMap(blocksOf);
  expect([...files, ...blocks].flatMap(findingsIn)).toEqual([]);
  // Of 13 folders of the demo, 5 examples and 30 pages: they were seen as workflows.
  expect(handlers).toBeGreaterThan(30);
});

it("docs/eslint.md has a section for each rule, which its messages name", () => {
  const sections = [...readFileSync("docs/eslint.md", "utf8").matchAll(/^## ([a-z-]+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(Object.keys(rules));
});
