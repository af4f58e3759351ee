import { rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createEmptyDatabase } from "../../lib/testing/database/database";
import { oneIn } from "../../lib/testing/sample";
import { pack } from "../../scripts/pack/pack";
import { aScratchFolder, execute, ROOT } from "../package/installed-app";
import { copyOf } from "./copy-of";

/*
 * Each example as its reader has it: with the packed package, far from this repository, compiled, migrated, killed and
 * started again. It needs a registry, for what the example installs.
 */

/** Prisma downloads its engine from elsewhere; this one comes from npm. */
const SCHEMA_ENGINE = path.join(ROOT, "scripts/schema-engine.mjs");

let scratch: string;
let tarball: string;
beforeAll(async () => {
  scratch = await aScratchFolder();
  ({ tarball } = await pack(scratch));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const EXAMPLES = ["express-drizzle", "fastify-kysely", "hono-pg", "nest-typeorm", "next-prisma"];

it.for(oneIn(2, EXAMPLES))(
  "%s: killed while it charges, an order is charged once and paid; its workflow is retry-safe",
  { timeout: 240_000 },
  async (example, { onTestFinished }) => {
    const database = await createEmptyDatabase();
    const app = await copyOf(example, tarball);
    onTestFinished(async () => {
      await rm(path.dirname(app), { recursive: true, force: true });
      await database.drop();
    });
    const addresses = { DATABASE_URL: database.url, DATABASE_DIRECT_URL: "" };
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      ...addresses,
      NODE_ENV: "production",
      NODE_TEST_CONTEXT: undefined,
      PRISMA_SCHEMA_ENGINE_BINARY: SCHEMA_ENGINE,
    };
    const said = (command: string, ...words: string[]) =>
      execute(command, words, { cwd: app, env, maxBuffer: 1e8 }).catch((error) => ({
        stdout: String(error.stdout),
        error,
      }));
    const installed = await said("npm", "install", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline");
    expect(installed, installed.stdout).not.toHaveProperty("error");
    const tested = await said("npm", "test");
    expect(tested, tested.stdout).not.toHaveProperty("error");
    const verified = await said("npm", "run", "verify");
    expect(verified, verified.stdout).not.toHaveProperty("error");
    expect(verified.stdout).toMatch(/pay-order v1 · 2 steps .*\n {2}✓ charge, mark-paid$/m);
    const compiled = await said(process.execPath, path.join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
    expect(compiled, compiled.stdout).not.toHaveProperty("error");
  },
);
