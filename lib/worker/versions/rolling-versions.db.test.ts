import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { clientDb } from "../../store/db";
import { insertManyRuns } from "../../store/runs/start-run";
import { claimRuns } from "../../store/workers/claim-runs";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { claimFromQueues } from "../queues/claim-from-queues";

const engine = anEngine();
const input = z.object({});
const stalls = monitorEventLoopDelay({ resolution: 10 });
stalls.enable();
afterAll(() => stalls.disable());

/** Versions 1 to 3 of a workflow: each has unique step names, so that another version's code would be detected. */
function aFamily(name: string, limited = false, drift?: "go_on") {
  const ran: string[] = [];
  const options = { name, input, ...(limited && { concurrency: { limit: 20 } }), ...(drift && { drift }) };
  const of = (version: number) =>
    defineWorkflow({ ...options, version }, async (ctx) => {
      await ctx.step(`open-${version}`, () => void ran.push(`${ctx.run.id} by ${version}`));
      await ctx.sleep(`nap-${version}`, 30);
      await ctx.step(`close-${version}`, () => void ran.push(`${ctx.run.id} by ${version}`));
      return version;
    });
  return { name, ran, v1: of(1), v2: of(2), v3: of(3) };
}

const startMany = async (workflow: Workflow, count: number) => {
  for (let n = 0; n < count; n++) await engine.start(workflow);
};

interface Outcome {
  version: number;
  status: string;
  output: number | null;
  changed: boolean;
  waited_ms: number;
}

/** How every run of the family ended, once all have. */
const outcomesOf = (name: string) =>
  until("The end of every run", async () => {
    const rows = await engine.rows<Outcome>(
      `select version, status, output::int, code_version is not null as changed,
         extract(epoch from finished_at - created_at)::float8 * 1000 - 30 as waited_ms
       from handrail.run where workflow = $1`,
      [name],
    );
    return rows.every(({ status }) => status === "completed" || status === "failed") ? rows : undefined;
  });

/**
 * Every run was executed by its own version from its first step to its last, and without limits none waited for a
 * worker that had room.
 */
async function expectOwnVersions(family: ReturnType<typeof aFamily>, count: number, limited = false): Promise<void> {
  const runs = await outcomesOf(family.name);
  expect(runs).toHaveLength(count);
  expect(runs.filter((run) => run.status !== "completed" || run.output !== run.version || run.changed)).toEqual([]);
  expect(family.ran).toHaveLength(2 * count);
  if (limited) return;
  const slowest = Math.max(...runs.map(({ waited_ms }) => waited_ms));
  // Handed from worker to worker, runs waited for 10 to 27 s. On an idle machine it is well under a second.
  expect(slowest).toBeLessThan(5_000 + 10 * (stalls.max / 1e6));
}

describe("a rolling deploy", () => {
  it("of two workers, one version each, executes every run by its own version", async () => {
    for (const limited of [false, true]) {
      const family = aFamily(limited ? "two-limited" : "two", limited);
      await engine.worker([family.v1], { versionWaitMs: 60_000 });
      await engine.worker([family.v2], { versionWaitMs: 60_000 });
      await Promise.all([startMany(family.v2, 60), startMany(family.v1, 40)]);
      await expectOwnVersions(family, 100, limited);
    }
  });

  it("of three versions and four workers, forward and back under load, mixes up nothing and delays nothing", async () => {
    const family = aFamily("rolling");
    const setup = { versionWaitMs: 60_000, concurrency: 20 };
    const load = { going: true, newest: family.v2, count: 0 };
    // However the test ends, so that nothing is started on a dropped database.
    onTestFinished(() => {
      load.going = false;
    });
    const starts = async (workflow: () => Workflow, everyMs: number) => {
      for (; load.going; load.count++) {
        await engine.start(workflow());
        await delay(everyMs);
      }
    };
    await engine.worker([family.v1], setup);
    const [one, other] = [await engine.worker([family.v2], setup), await engine.worker([family.v2], setup)];
    await engine.worker([family.v1, family.v2], setup);
    const loads = [starts(() => family.v1, 20), starts(() => load.newest, 10)];
    await one.stop();
    const three = await engine.worker([family.v3, family.v2], setup);
    load.newest = family.v3;
    await other.stop();
    const last = await engine.worker([family.v3], setup);
    await delay(300);
    // And back: runs that were started as version 3 end before the last worker with it stops.
    load.newest = family.v2;
    await three.stop();
    await engine.worker([family.v2], setup);
    await until("The end of version 3", async () => {
      const open = "select from handrail.run where workflow = $1 and version = 3 and finished_at is null";
      return (await engine.rows(open, [family.name])).length === 0 || undefined;
    });
    await last.stop();
    load.going = false;
    await Promise.all(loads);
    await expectOwnVersions(family, load.count);
  });
});

describe("a version that no live worker has", () => {
  /** Asleep on version 1, whose worker has died silently. */
  async function leftAsleep(family: ReturnType<typeof aFamily>) {
    const sleeper = defineWorkflow({ name: family.name, input, version: 1 }, async (ctx) => {
      await ctx.step("open-1", () => undefined);
      await ctx.sleep("wait", "1h");
      return 1;
    });
    const runId = await engine.start(sleeper);
    const worker = await engine.worker([sleeper]);
    await engine.untilResting(runId);
    worker.worker.lose();
    await engine.endLeases();
    return { runId, sleeper };
  }
  const wake = (runId: string) =>
    engine.rows(
      `with step as (update handrail.step set next_attempt_at = clock_timestamp() where run_id = $1 and status = 'waiting')
       update handrail.run set due_at = clock_timestamp() where id = $1 and status = 'waiting'`,
      [runId],
    );

  it("is awaited by runs that have begun, and then the code's drift decides", async () => {
    const family = aFamily("wait-over", false, "go_on");
    const { runId } = await leftAsleep(family);
    await engine.worker([family.v2], { versionWaitMs: 2_000 });
    await wake(runId);
    const beside = await engine.start(family.v2);
    await engine.untilEnded(beside);
    expect((await engine.historyOf(runId)).run.code_version).toBeNull();
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 2, code_version: 2 });
    const [change] = await engine.rows<{ waited: boolean }>(
      `select at > (select max(lease_expires_at) from handrail.worker where versions = '{"wait-over": [1]}') + interval '2 s' as waited
       from handrail.version_change where run_id = $1`,
      [runId],
    );
    expect(change?.waited).toBe(true);
  });

  it("takes its runs when it is back in time", async () => {
    const family = aFamily("back-in-time", false, "go_on");
    const { runId, sleeper } = await leftAsleep(family);
    await engine.worker([family.v2], { versionWaitMs: 60_000 });
    await wake(runId);
    await engine.untilEnded(await engine.start(family.v2));
    await engine.worker([sleeper]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ output: 1, code_version: null });
  });

  it("leaves runs that have not begun to a newer one at once, and never to an older one", async () => {
    const family = aFamily("newer-at-once");
    const setup = { versionWaitMs: 60_000 };
    const [third, first] = [await engine.start(family.v3), await engine.start(family.v1)];
    await engine.worker([family.v2], setup);
    expect((await engine.untilEnded(first)).run).toMatchObject({ output: 2, code_version: 2 });
    expect((await engine.historyOf(third)).run).toMatchObject({ status: "pending", epoch: 0 });
    await engine.worker([family.v3], setup);
    expect((await engine.untilEnded(third)).run).toMatchObject({ output: 3, code_version: null });
  });
});

it("a run's compensations are executed by the code of its version", async () => {
  const undone: number[] = [];
  const failedOnce = new Set<string>();
  const of = (version: number) =>
    defineWorkflow({ name: "undone-by", input, version, onFailure: "compensate" }, async (ctx) => {
      await ctx.step("charge", () => undefined, {
        retry: { maxAttempts: 3, initialDelayMs: 20 },
        compensate: () => {
          const isFirst = !failedOnce.has(ctx.run.id);
          failedOnce.add(ctx.run.id);
          if (isFirst) throw new Error("once more");
          undone.push(version);
        },
      });
      throw new Error("no");
    });
  await engine.worker([of(2)], { versionWaitMs: 60_000 });
  await engine.worker([of(1)], { versionWaitMs: 60_000, concurrency: 2 });
  const ids = await Promise.all(Array.from({ length: 20 }, () => engine.start(of(1))));
  for (const id of ids) expect((await engine.untilEnded(id)).run.status).toBe("compensated");
  expect(undone).toEqual(ids.map(() => 1));
});

describe("runs of a version that a worker may not take", () => {
  const many = (workflow: string, version: number, count: number, queueKey: string | null) =>
    insertManyRuns(
      engine.db,
      Array.from({ length: count }, () => ({
        ...{
          workflow,
          version,
          input: "{}",
          tags: {},
          runTitle: null,
          idempotencyKey: null,
          runAt: null,
          delayMs: null,
        },
        ...{ queueKey, debounce: null, priority: 0 },
      })),
    );

  it("are not scanned by its claims, whether ready, asleep or queued, and cause no earlier claim", async () => {
    const [free, limited] = [aFamily("not-mine"), aFamily("not-mine-limited", true)];
    const asleep = await many(free.name, 1, 3_000, null);
    await engine.rows(
      `update handrail.run set status = 'waiting', waiting_kind = 'timer', waiting_since = clock_timestamp(), started_at = clock_timestamp(),
       due_at = clock_timestamp() where id = any ($1::uuid[])`,
      [asleep],
    );
    await many(free.name, 1, 3_000, null);
    await many(limited.name, 1, 3_000, "");
    await engine.rows("analyze handrail.run");
    const versions = JSON.stringify({ [free.name]: [1], [limited.name]: [1] });
    await engine.rows("update handrail.worker set versions = $2 where id = $1", [
      await aRegisteredWorker(engine.db),
      versions,
    ]);
    const owner = await aRegisteredWorker(engine.db);
    const client = await engine.database.pool.connect();
    await client.query("set plan_cache_mode = force_generic_plan");
    const before = await entriesRead();
    for (let round = 0; round < 20; round++) {
      expect(await claimRuns(clientDb(client), owner, [free.v2], 10, 60_000)).toEqual({ runs: [], nextDueInMs: null });
      const queued = await claimFromQueues(clientDb(client), owner, [limited.v2], 10, 60_000);
      // The first rounds discover that there are queues.
      if (round > 10) expect(queued).toEqual({ runs: [], nextDueInMs: null });
    }
    await client.query("select pg_stat_force_next_flush()").catch(() => undefined);
    client.release(true);
    const after = await until("The statistics of the claims", async () => {
      const now = await entriesRead();
      return now.scans > before.scans ? now : undefined;
    });
    expect(after.entries - before.entries).toBeLessThan(30_000);
    await engine.rows("delete from handrail.run where workflow = any ($1)", [[free.name, limited.name]]);
  });

  async function entriesRead(): Promise<{ scans: number; entries: number }> {
    const [row] = await engine.rows<{ scans: string; entries: string }>(
      `select sum(idx_scan) as scans, sum(idx_tup_read) as entries from pg_stat_user_indexes
       where relname = 'run' and schemaname = 'handrail'`,
    );
    return { scans: Number(row?.scans), entries: Number(row?.entries) };
  }
});
