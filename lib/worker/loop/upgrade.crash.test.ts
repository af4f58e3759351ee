import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, type TestContext } from "vitest";
import { migrate } from "../../store/migrations/migrate";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildConsole, ChildWorker } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { createLedger, LEDGER_WORKFLOWS, overlaps, repeated } from "../../testing/workflows/ledger";
import { threeLines } from "../../testing/workflows/ledger-workflows";

type Finally = TestContext["onTestFinished"];

const THIS_VERSION = path.resolve("prisma/migrations");
const LEASE_MS = 3_000;
/** The longest that a migration blocks others, plus the margin of a busy machine. */
const LONGEST_WAIT_MS = 1_000 + 4_000;

/** The migrations of a version after this one. */
async function aNextVersion(atEnd: Finally) {
  const directory = await mkdtemp(path.join(tmpdir(), "handrail-next-version-"));
  atEnd(() => rm(directory, { recursive: true }));
  await cp(THIS_VERSION, directory, { recursive: true });
  const add = async (name: string, sql: string) => {
    await mkdir(path.join(directory, name));
    await writeFile(path.join(directory, name, "migration.sql"), sql);
    return name;
  };
  return { directory, add };
}

async function aWorker({ url }: TestDatabase, migrations: string, atEnd: Finally): Promise<ChildWorker> {
  const setup = { leaseMs: LEASE_MS, workflows: LEDGER_WORKFLOWS, concurrency: 8, migrations };
  const worker = ChildWorker.spawn({ url }, setup);
  atEnd(() => worker.kill());
  await worker.untilReady();
  return worker;
}

/** Starts runs without a pause until stopped: the acknowledged ones, and the duration of the longest start. */
function someoneWhoStarts(web: ChildConsole) {
  const acknowledged: string[] = [];
  let longestMs = 0;
  let over = false;
  const starting = (async () => {
    for (let n = 0; !over; n++) {
      const since = performance.now();
      const { status, body } = await web.post("/v1/runs", { workflow: threeLines.name, input: { n } });
      longestMs = Math.max(longestMs, performance.now() - since);
      expect(status).toBe(201);
      acknowledged.push((body as { id: string }).id);
      await delay(5);
    }
  })();
  const stop = async () => {
    over = true;
    await starting;
    return { acknowledged, longestMs };
  };
  return { acknowledged, stop };
}

async function untilMore({ acknowledged }: { acknowledged: string[] }, count: number): Promise<void> {
  const enough = acknowledged.length + count;
  await until("More starts", () => acknowledged.length >= enough);
}

it("migrations are applied while workers run: they continue, or drain; nothing is lost and nothing runs twice", async ({
  onTestFinished: atEnd,
}) => {
  const database = await createTestDatabase();
  atEnd(() => database.drop());
  await callWitness(database.pool);
  await createLedger(database.pool);
  const next = await aNextVersion(atEnd);
  const web = await ChildConsole.spawn(database, { leaseMs: LEASE_MS, workflows: LEDGER_WORKFLOWS });
  atEnd(() => web.kill());
  const old = await Promise.all([1, 2].map(() => aWorker(database, THIS_VERSION, atEnd)));
  const someone = someoneWhoStarts(web);
  await untilMore(someone, 50);

  // Beside the workers, and beside a transaction that stays open.
  await next.add("20990101000000_column", "-- handrail: online\nalter table handrail.run add column note text;");
  await next.add(
    "20990101000001_index",
    "-- handrail: online\ncreate index concurrently run_note on handrail.run (note);",
  );
  const report = await database.pool.connect();
  await report.query("begin; lock table handrail.run in row exclusive mode");
  const online = migrate(database.url, next);
  await delay(2_500);
  await report.query("commit");
  report.release();
  expect((await online).applied).toHaveLength(2);
  await untilMore(someone, 50);
  expect(old.map(({ hasEnded }) => hasEnded)).toEqual([false, false]);
  const joined = await aWorker(database, THIS_VERSION, atEnd);
  expect(joined.hasEnded).toBe(false);

  // Not beside them.
  await next.add("20990101000002_drains", "-- handrail: drain\nalter table handrail.step add column note text;");
  expect((await migrate(database.url, next)).applied).toHaveLength(1);
  for (const worker of [...old, joined]) expect(await worker.untilEnded()).toBe(0);
  const late = ChildWorker.spawn(database, { workflows: LEDGER_WORKFLOWS, migrations: THIS_VERSION });
  atEnd(() => late.kill());
  expect(await late.untilEnded()).toBe(1);
  await aWorker(database, next.directory, atEnd);
  await untilMore(someone, 50);

  const { acknowledged, longestMs } = await someone.stop();
  const left = async () =>
    (
      await database.pool.query("select from handrail.run where id = any ($1::uuid[]) and status <> 'completed'", [
        acknowledged,
      ])
    ).rows.length;
  await until("The end of all runs", async () => (await left()) === 0, 120_000);
  const { rows } = await database.pool.query("select count(*)::int as runs from handrail.run");
  expect(rows).toEqual([{ runs: acknowledged.length }]);
  expect({ overlaps: await overlaps(database.pool), repeated: await repeated(database.pool) }).toEqual({
    overlaps: [],
    repeated: [],
  });
  expect(longestMs).toBeLessThan(LONGEST_WAIT_MS);
  await expectInvariants(database.pool);
});
