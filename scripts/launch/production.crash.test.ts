import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../lib/testing/database/database";
import { aPlace, kill, Launched } from "../../lib/testing/processes/launched";
import { isBuilt } from "./build";
import { ROOT } from "./children";

const built = await isBuilt();
const NOT_COPIED = new Set(["node_modules", ".git", ".handrail", ".next", "test-results", "playwright-report"]);
const NOT_SERVED = new Set(["cache", "dev"]);

interface Lock {
  packages: Record<string, { dev?: true }>;
}

/** What `npm ci --omit=dev` installs beside its project: npm marks in the lock file what only development needs. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as Lock;
  return Object.entries(packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev)
    .map(([path]) => path)
    .filter((path) => existsSync(join(ROOT, path))); // what is optional may be for another platform
}

/** The built project as such an install has it, in hard links where the file system is the same. */
function installForProduction(): string {
  const folder = mkdtempSync(join(tmpdir(), "handrail-production-"));
  const paths = [
    ...readdirSync(ROOT).filter((name) => !NOT_COPIED.has(name)),
    ...readdirSync(join(ROOT, ".next"))
      .filter((name) => !NOT_SERVED.has(name))
      .map((name) => `.next/${name}`),
    "node_modules/.bin",
    ...productionPackages(),
  ];
  const copy = (how: string) => spawnSync("cp", [how, "--parents", ...paths, folder], { cwd: ROOT }).status === 0;
  if (!copy("-al")) copy("-a");
  return folder;
}

describe.skipIf(process.platform !== "linux" || !built)("after npm ci --omit=dev (skipped without a build)", () => {
  let root: string;
  let database: TestDatabase;
  beforeAll(async () => {
    root = installForProduction();
    database = await createTestDatabase();
  });
  afterAll(async () => {
    await database.drop();
    rmSync(root, { recursive: true, force: true });
  });
  const aProductionPlace = async () => ({ ...(await aPlace({ DATABASE_URL: database.url })), root });

  it("npm run migrate and npm start serve console, API and worker on a given database", async () => {
    const place = await aProductionPlace();
    const migrated = Launched.npm("migrate", place);
    await migrated.untilSaid("The database is up to date.");
    expect(await migrated.untilEnded()).toBe(0);

    const launched = Launched.npm("start", place);
    await launched.untilSaid("console, API and worker");
    await launched.untilSaid('"msg":"ready"');
    for (const path of ["/api/health/ready", "/sign-in"])
      expect((await fetch(`http://127.0.0.1:${place.port}${path}`)).status).toBe(200);
    kill(launched.pid, "SIGTERM");
    expect(await launched.untilEnded()).toBe(0);
  });

  it("npm run demo says what is missing", async () => {
    const launched = Launched.npm("demo", await aProductionPlace());
    await launched.untilSaid("`npm run demo` needs development dependencies");
    expect(await launched.untilEnded()).toBe(1);
  });
});
