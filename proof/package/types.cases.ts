import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { anEmptyApp, type InstalledApp, install, node, ours } from "./installed-app";

const FILES = ["main.ts", "workflows.ts", "tsconfig.json", "tsconfig.bundler.json"];
/** As docs/package.md says: from 1.15 on, the types of pg-protocol need TypeScript 5.7. */
const OVERRIDES = { "@types/pg": { "pg-protocol": "1.14.0" } };
const NODE_NEXT = { extends: "./tsconfig.json", compilerOptions: { noEmit: true }, files: ["main.ts"] };

/** The oldest TypeScript that the package promises; the newest compiles the app itself. */
export function typesCases(appOf: () => InstalledApp): void {
  it("an app compiles with TypeScript 5.6, NodeNext and Bundler, all types checked", async () => {
    const { folder: of, packed } = appOf();
    const folder = await anEmptyApp();
    const manifest = path.join(folder, "package.json");
    await writeFile(
      manifest,
      JSON.stringify({ ...JSON.parse(await readFile(manifest, "utf8")), overrides: OVERRIDES }),
    );
    await install(folder, [packed.tarball]);
    for (const file of FILES) await cp(path.join(of, file), path.join(folder, file));
    await writeFile(path.join(folder, "tsconfig.next.json"), JSON.stringify(NODE_NEXT));
    const compiler = ours("typescript-5.6/bin/tsc");
    expect((await node([compiler, "--version"], folder)).stdout).toContain("5.6.");
    await Promise.all(
      ["tsconfig.next.json", "tsconfig.bundler.json"].map((project) => node([compiler, "-p", project], folder)),
    );
    await rm(folder, { recursive: true });
  });
}
