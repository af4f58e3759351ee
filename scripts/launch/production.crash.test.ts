import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { newAuditKey } from "../../lib/engine/audit/audit-keys";
import { startProxy } from "../../lib/testing/database/proxy";
import { AS_PID_1, canBePid1 } from "../../lib/testing/processes/as-pid-1";
import { DEPLOYED, IMAGE_ENV } from "../../lib/testing/processes/deploy-kit";
import { aPlace, kill, Launched, processesOf } from "../../lib/testing/processes/launched";
import { until } from "../../lib/testing/until";
import { freePort } from "../ports";
import { isBuilt } from "./build";
import { ROOT } from "./children";

const built = await isBuilt();
const NOT_COPIED = new Set(["node_modules", ".git", ".handrail", ".next", "test-results", "playwright-report"]);

/** Of `unshare` and what it runs as process 1, the latter. */
const nodeOf = ({ pid }: Launched): number => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return canBePid1 ? Number(children.split(" ")[0]) : pid;
};
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

const TABLES_OUTSIDE = `select schemaname || '.' || tablename from pg_tables
  where schemaname <> all ('{handrail,pg_catalog,information_schema}')`;

async function query(sql: string, databaseUrl: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

/** A unit listens for a proxy on its machine, and waits for a database that starts beside it. */
const asInTheImage = (words: readonly string[]) =>
  words.filter((word) => word !== "--wait").map((word) => word.replace("127.0.0.1", "0.0.0.0"));

it.skipIf(process.platform !== "linux")("the unit's migrations wait for a database that is not there yet", async () => {
  const server = inject("postgresUrl");
  const [database, port] = [`waited_for_${randomUUID().replaceAll("-", "")}`, await freePort()];
  onTestFinished(async () => void (await query(`drop database if exists ${database} with (force)`, server)));
  const url = Object.assign(new URL(server), { host: `127.0.0.1:${port}`, pathname: `/${database}` }).href;
  const migrating = Launched.node(DEPLOYED.migrate.at(-1) ?? [], await aPlace({ DATABASE_URL: url }));
  await migrating.untilSaid("the database cannot be reached: trying again until it can");
  const proxy = await startProxy(server, port);
  onTestFinished(proxy.close);
  await migrating.untilSaid("Applied 20261122000000_baseline");
  expect(await migrating.untilEnded()).toBe(0);
});

describe.skipIf(process.platform !== "linux" || !built)("after npm ci --omit=dev (skipped without a build)", () => {
  let root: string;
  const database = `production_${randomUUID().replaceAll("-", "")}`;
  const url = Object.assign(new URL(inject("postgresUrl")), { pathname: `/${database}` }).href;
  beforeAll(() => {
    root = installForProduction();
  });
  afterAll(async () => {
    await query(`drop database if exists ${database} with (force)`, inject("postgresUrl"));
    rmSync(root, { recursive: true, force: true });
  });
  const aProductionPlace = async () => ({ ...(await aPlace({ DATABASE_URL: url })), root });

  it("npm run migrate and npm start serve console, API and worker on a given database, and nothing of the demo", async () => {
    const place = await aProductionPlace();
    const migrated = Launched.npm("migrate", place);
    await migrated.untilSaid("Applied 20261122000000_baseline");
    expect(await migrated.untilEnded()).toBe(0);

    const launched = Launched.npm("start", place);
    await launched.untilSaid("console, API and worker");
    await launched.untilSaid('"msg":"ready"');
    for (const path of ["/api/health/ready", "/sign-in"])
      expect((await fetch(`http://127.0.0.1:${place.port}${path}`)).status).toBe(200);
    const listed = await fetch(`http://127.0.0.1:${place.port}/api/v1/workflows`);
    expect(await listed.json()).toMatchObject({ workflows: [] });
    kill(launched.pid, "SIGTERM");
    expect(await launched.untilEnded()).toBe(0);
    expect(await query(TABLES_OUTSIDE, url)).toEqual([]);
  });

  it("the deploy kit's commands migrate, serve and work as process 1, and end with 0 on TERM", async () => {
    for (const [first, ...others] of Object.values(DEPLOYED))
      for (const other of others) expect(asInTheImage(other)).toEqual(first);
    const place = await aProductionPlace();
    const env = {
      ...IMAGE_ENV,
      ...place.env,
      HANDRAIL_AUDIT_KEY: newAuditKey(),
      HANDRAIL_ORIGIN: `http://localhost:${place.port}`,
    };
    const run = ([words]: readonly [readonly string[], ...unknown[]]) =>
      Launched.node(
        words.map((word) => (word === "3000" ? String(place.port) : word)),
        { ...place, env },
        canBePid1 ? AS_PID_1 : [],
      );
    expect(await run(DEPLOYED.migrate).untilEnded()).toBe(0);
    const [served, working] = [run(DEPLOYED.console), run(DEPLOYED.worker)];
    await working.untilSaid('"msg":"ready"');
    const ready = () =>
      fetch(`http://127.0.0.1:${place.port}/api/health/ready`, { signal: AbortSignal.timeout(5_000) });
    await until("The console", () =>
      ready().then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    for (const process of [served, working]) {
      kill(nodeOf(process), "SIGTERM");
      expect(await process.untilEnded()).toBe(0);
    }
    expect(processesOf(place.data)).toEqual([]);
  });

  it("npm run demo says what is missing", async () => {
    const launched = Launched.npm("demo", await aProductionPlace());
    await launched.untilSaid("`npm run demo` needs development dependencies");
    expect(await launched.untilEnded()).toBe(1);
  });
});
