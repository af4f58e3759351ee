import { expect, test } from "vitest";
import { findViolations } from "./rules";
import { readSourceFile } from "./source-file";

const UNUSED = "is imported by nobody";

/** What is wrong with a project of these files, as `path:line does`. */
function allWrongWith(files: Record<string, string>): string[] {
  const paths = new Set(Object.keys(files));
  const sources = Object.entries(files).map(([path, text]) => readSourceFile(path, text, paths));
  return findViolations(sources).map(({ path, line, does }) => `${path}:${line} ${does}`);
}

/** The same, of a project that is only an extract: most of its files are used by others. */
const wrongWith = (files: Record<string, string>) => allWrongWith(files).filter((text) => !text.endsWith(UNUSED));

test("arrows that follow the law are left alone", () => {
  const files = {
    "lib/engine/run.ts": `import type { StandardSchemaV1 } from "@standard-schema/spec";\nexport type A = StandardSchemaV1;`,
    "lib/store/claim-run.ts": `import pg from "pg";\nimport type { A } from "../engine/run";`,
    "lib/worker/worker.ts": `import { claimRun } from "../store/claim-run";`,
    "lib/worker/main.ts": `import { openApp } from "../app";`,
    "load-app.ts": `const app = await import("./demo/app");`,
    "demo/app.ts": `import { workflows } from "./workflows/index";`,
    "demo/workflows/index.ts": `import { a } from "./a/workflow";`,
    "demo/workflows/a/workflow.ts": `import { charge } from "./payments";\nimport { define } from "@/lib/engine/run";`,
    "demo/workflows/a/payments.ts": "export const charge = 1;",
    "app/page.tsx": `import { RunTable } from "@/components/pages/runs/table/run-table";\nexport default () => <RunTable />;`,
    "components/pages/runs/table/run-table.tsx": `import { RunMenu } from "@/components/domain/run/run-menu";\nimport { row } from "../row";`,
    "components/pages/runs/row.ts": "export const row = 1;",
    "components/domain/run/run-menu.tsx": `import { Row } from "@/components/parts/board/row";\nimport { rerun } from "../actions/rerun";`,
    "components/domain/actions/rerun.ts": "export const rerun = 1;",
    "components/parts/board/row.tsx": `import { Button } from "@/components/ui/button";\nimport { useRuns } from "@/lib/api/hooks/runs";`,
    "components/ui/button.tsx": `import { cn } from "@/lib/class-names";`,
  };
  expect(wrongWith(files)).toEqual([]);
});

test.each([
  ["lib/engine/run.ts", `import type { Db } from "../store/db";`, "imports types of lib/store/db"],
  ["lib/engine/run.ts", `type A = import("../store/db").Db;`, "imports types of lib/store/db"],
  ["lib/engine/run.ts", `import { z } from "zod";`, "imports zod"],
  ["lib/store/db.ts", `export { start } from "../worker/worker";`, "imports lib/worker/worker"],
  ["lib/store/db.ts", `import { PrismaClient } from "@prisma/client";`, "imports @prisma/client"],
  ["lib/worker/worker.ts", `const a = await import("../operator/rerun");`, "imports lib/operator/rerun"],
  ["lib/worker/worker.ts", `import { workflows } from "../../demo/workflows";`, "imports demo/workflows"],
  ["lib/api/contract/run.ts", `import { sql } from "../../store/db";`, "imports lib/store/db"],
  ["components/ui/button.tsx", `import { useRuns } from "@/lib/api/hooks/runs";`, "imports lib/api/hooks/runs"],
  ["components/ui/button.tsx", `import { Row } from "../parts/board/row";`, "imports components/parts/board/row"],
  [
    "components/parts/board/row.tsx",
    `import { look } from "@/components/domain/run/look";`,
    "imports components/domain/run/look",
  ],
  [
    "components/domain/run/look.ts",
    `import type { Tab } from "@/components/pages/run/tab";`,
    "imports types of components/pages/run/tab",
  ],
  [
    "components/pages/runs/page.tsx",
    `import { Tab } from "@/components/pages/run/tab";`,
    "imports components/pages/run/tab",
  ],
  ["components/domain/run/look.ts", `import { server } from "@/lib/server";`, "imports lib/server"],
  ["components/run-table.tsx", "export const a = 1;", "is in no layer"],
  ["app/page.tsx", `import { claim } from "@/lib/store/claim-run";`, "imports lib/store/claim-run"],
  ["lib/worker/main.ts", `import { workflows } from "../../demo/workflows";`, "imports demo/workflows"],
  ["lib/server.ts", `import app from "../demo/app";`, "imports demo/app"],
  ["handrail.config.ts", `import app from "./demo/app";`, "imports demo/app"],
  ["demo/workflows/a/workflow.ts", `import { b } from "../b/workflow";`, "imports demo/workflows/b/workflow"],
  ["demo/sandbox/main.ts", `import { server } from "../../lib/server";`, "imports lib/server"],
])("%s may not: %s", (path, text, does) => {
  expect(wrongWith({ [path]: text })).toContain(`${path}:1 ${does}`);
});

test.each([
  ["lib/operator/rerun.ts", `import { aRun } from "../testing/factories";`],
  ["lib/format.ts", `import { start } from "../scripts/run";`],
  ["lib/server.ts", `import { gateway } from "../demo/sandbox/main";`],
  ["app/page.tsx", `import { workflows } from "@/demo/workflows";`],
  ["instrumentation.ts", `const app = await import("./demo/app");`],
  ["lib/operator/rerun.ts", `import { cookies } from "next/headers";`],
  ["lib/operator/rerun.ts", `import pg from "pg";`],
  ["lib/engine/run.ts", `import { step } from "@/lib/engine/step";`],
])("%s breaks a rule on imports: %s", (path, text) => {
  expect(wrongWith({ [path]: text }).length).toBeGreaterThan(0);
});

test.each([
  ["lib/engine/run.ts", "const at = Date.now();", "says Date.now"],
  ["lib/engine/run.ts", "const at = new Date();", "says new Date()"],
  ["lib/engine/run.ts", "const a = Math.random();", "says Math.random"],
  ["lib/worker/worker.ts", "const a = process.env.PORT;", "says process.env"],
  ["lib/worker/worker.ts", `console.log("a");`, "says console.log"],
  ["lib/operator/rerun.ts", "const rows = db.$queryRaw`select 1`;", "says db.$queryRaw"],
  ["app/act.ts", `async function act() { "use server"; }`, 'says "use server"'],
])("%s may not say: %s", (path, text, does) => {
  expect(wrongWith({ [path]: text })).toContain(`${path}:1 ${does}`);
});

test("comments, strings and instants that are given do not count", () => {
  const text = `// Date.now()\nconst a = "process.env";\nconst at = new Date(0);\nexport { a, at };`;
  expect(wrongWith({ "lib/engine/run.ts": text })).toEqual([]);
});

test("only one file of the engine hashes", () => {
  const files = {
    "lib/engine/a.ts": `import { createHash } from "node:crypto";`,
    "lib/engine/b.ts": `\nimport { createHash } from "node:crypto";`,
  };
  expect(wrongWith(files)).toEqual(["lib/engine/b.ts:2 imports node:crypto as well"]);
});

test("what nobody imports is found; a test does not count, what the compiler or Next reads does", () => {
  const files = {
    "lib/store/used.ts": "",
    "lib/store/tested.ts": "",
    "lib/store/tested.test.ts": `import "./tested";`,
    "lib/store/types.ts": `declare module "../engine/workflow" {}`,
    "lib/store/using.ts": `import "./used";`,
    "app/runs/page.tsx": `import "./rows";`,
    "app/runs/rows.tsx": "",
  };
  expect(allWrongWith(files)).toEqual([`lib/store/tested.ts:1 ${UNUSED}`, `lib/store/using.ts:1 ${UNUSED}`]);
});

test("barrels, vague names and places without a layer are refused", () => {
  expect(wrongWith({ "components/pages/runs/index.ts": "" })).toEqual(["components/pages/runs/index.ts:1 is an index"]);
  expect(wrongWith({ "lib/store/db-utils.ts": "" })).toEqual(["lib/store/db-utils.ts:1 is called utils"]);
  expect(wrongWith({ "lib/queues/queue.ts": "" })).toEqual(["lib/queues/queue.ts:1 is in no layer"]);
});
