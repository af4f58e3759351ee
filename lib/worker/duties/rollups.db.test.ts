import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { percentile } from "../../engine/flow/histogram";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { examine } from "../../store/database/doctor";
import { deleteOldRollups } from "../../store/flow/old-rollups";
import { ROLLUP_RULES } from "../../store/flow/rollup-rules";
import { lockRun } from "../../store/runs/lock-run";
import { rerunFailed } from "../../store/runs/rerun";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";
import { foldRollups, MAX_STEP_NAMES } from "./fold-rollups";
import { countAll } from "./rollup-loop";

const engine = anEngine();

const countNow = () => countAll(engine.db, () => false);

/** Folds wait for the clocks of those who start runs; tests do not. */
async function countStarts(): Promise<void> {
  await engine.rows("update handrail.rollup_fold set settled_at = clock_timestamp() + interval '20 seconds'");
  await countNow();
  await engine.rows("update handrail.rollup_fold set settled_at = '-infinity'");
}

const sums = async (workflow: string, minutes = 1) =>
  (
    await engine.rows(
      `select sum(started)::int as started, sum(completed)::int as completed, sum(failed)::int as failed, sum(retries)::int as retries,
        (select sum(n)::int from handrail.run_rollup as r, unnest(r.took_counts) as n where r.workflow = $1 and r.minutes = $2) as took
       from handrail.run_rollup where workflow = $1 and minutes = $2`,
      [workflow, minutes],
    )
  )[0];

const stepsOf = (workflow: string) =>
  engine.rows(
    `select step, version, sum(executions)::int as executions, sum(failures)::int as failures, sum(retries)::int as retries
     from handrail.step_rollup where workflow = $1 and minutes = 60 group by step, version order by step, version`,
    [workflow],
  );

/** Ended runs as rows, stamped by the database in the statement that inserts them. */
const ENDED = `insert into handrail.run (id, workflow, version, status, input, started_at, finished_at)
  select handrail.new_id(), $1, 1, 'completed', '{}', clock_timestamp() - interval '1 second', clock_timestamp() from generate_series(1, $2::int)`;

describe("the charts' counts", () => {
  it("cover what workers did, by version and step, in every width", async () => {
    let tries = 0;
    const workflow = defineWorkflow(
      { name: "counted", version: 3, input: z.object({ n: z.number() }), retry: { maxAttempts: 3, initialDelayMs: 1 } },
      async (ctx, { n }) => {
        await ctx.step("load", () => {
          if (n === 1 && ++tries < 2) throw new Error("Not yet.");
        });
        await ctx.step(`send-${n}`, () => delay(20));
        if (n === 2) await ctx.step("charge", () => Promise.reject(new NonRetryableError("no")));
      },
    );
    const ids = await Promise.all([0, 1, 2].map((n) => engine.start(workflow, { n })));
    const worker = await engine.worker([workflow]);
    for (const id of ids) await engine.untilEnded(id);
    await worker.stop();
    await countStarts();
    for (const minutes of [1, 15, 60, 360])
      expect(await sums("counted", minutes)).toEqual({ started: 3, completed: 2, failed: 1, retries: 1, took: 3 });
    expect(await stepsOf("counted")).toEqual([
      { step: "charge", version: 3, executions: 1, failures: 1, retries: 0 },
      { step: "load", version: 3, executions: 3, failures: 0, retries: 1 },
      { step: "send-<n>", version: 3, executions: 3, failures: 0, retries: 0 },
    ]);
    const [send] = await engine.rows<{ took_buckets: number[]; took_counts: number[] }>(
      "select took_buckets, took_counts from handrail.step_rollup where workflow = 'counted' and step = 'send-<n>' and minutes = 360",
    );
    const took = new Map(send?.took_buckets.map((bucket, place) => [bucket, send.took_counts[place] as number]));
    expect(percentile(took, 0.5)).toBeGreaterThan(17);
  });

  it("take every end once, in batches, also with several counters at the same time", async () => {
    await engine.rows(ENDED, ["once", 700]);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let round = 0; round < 30; round++) await foldRollups(engine.db, 40);
      }),
    );
    while (await foldRollups(engine.db, 40));
    expect(await sums("once")).toMatchObject({ completed: 700, took: 700 });
    await countStarts();
    expect(await sums("once")).toMatchObject({ started: 700, completed: 700 });
  });

  it("take ends of one instant in batches, too", async () => {
    await engine.rows(ENDED.replaceAll("clock_timestamp()", "statement_timestamp()"), ["at once", 95]);
    while (await foldRollups(engine.db, 10));
    expect(await sums("at once")).toMatchObject({ completed: 95 });
  });

  it("wait for a transaction that ended a run earlier and commits later", async () => {
    const client = await engine.database.pool.connect();
    try {
      await client.query("begin");
      await client.query(ENDED, ["late", 1]);
      await engine.rows(ENDED, ["late", 2]);
      for (let round = 0; round < 3; round++) await countNow();
      expect(await sums("late")).toMatchObject({ completed: null });
      await client.query("commit");
    } finally {
      client.release();
    }
    for (let round = 0; round < 2; round++) await countNow();
    expect(await sums("late")).toMatchObject({ completed: 3 });
  });

  it("continue beside short transactions, and transactions that write no run", async () => {
    const [reader, writer] = [await engine.database.pool.connect(), await engine.database.pool.connect()];
    try {
      await reader.query("begin");
      await reader.query("insert into handrail.request (key, fingerprint) values ('another table', 'x')");
      await reader.query("select count(*) from handrail.run");
      for (let round = 0; round < 4; round++) {
        await writer.query("begin");
        await writer.query(ENDED, ["busy", 1]);
        await foldRollups(engine.db);
        await writer.query("commit");
      }
      await countNow();
      await countNow();
      expect(await sums("busy")).toMatchObject({ completed: 4 });
    } finally {
      await writer.query("rollback");
      await reader.query("rollback");
      for (const client of [reader, writer]) client.release();
    }
  });

  it("include both ends of a rerun run, each with its steps", async () => {
    let heals = false;
    const workflow = defineWorkflow({ name: "rerun", version: 1, input: z.any() }, async (ctx) => {
      await ctx.step("load", () => 1);
      await ctx.step("charge", () => {
        if (!heals) throw new NonRetryableError("no");
      });
    });
    const id = await engine.start(workflow, {});
    const worker = await engine.worker([workflow]);
    await engine.untilEnded(id);
    heals = true;
    await engine.db.transaction(async (tx) => {
      await lockRun(tx, id);
      await rerunFailed(tx, id, false);
    });
    await engine.untilRun(id, ({ run }) => run.status === "completed");
    await worker.stop();
    await countNow();
    await countNow();
    // The time to its second end says nothing about its speed.
    expect(await sums("rerun")).toMatchObject({ completed: 1, failed: 1, took: 1 });
    expect(await stepsOf("rerun")).toEqual([
      { step: "charge", version: 1, executions: 2, failures: 1, retries: 0 },
      { step: "load", version: 1, executions: 1, failures: 0, retries: 0 },
    ]);
  });

  it("count a start by a clock far behind when its run ends, and no start twice", async () => {
    await countStarts();
    await engine.rows(
      `insert into handrail.run (id, workflow, version, status, input, started_at, finished_at)
       values ('01900000-0000-7000-8000-000000000001', 'behind', 1, 'completed', '{}', clock_timestamp(), clock_timestamp())`,
    );
    await engine.rows(ENDED, ["behind", 1]);
    await countNow();
    expect(await sums("behind")).toMatchObject({ started: 1, completed: 2 });
    await countStarts();
    expect(await sums("behind")).toMatchObject({ started: 2, completed: 2 });
  });

  it("cost one look while nothing starts or ends, and half a minute later it is kept anew how far they go", async () => {
    await countNow();
    await engine.rows("update handrail.rollup_fold set settled_at = clock_timestamp(), mark_at = null");
    const kept = async () => (await engine.rows("select xmin::text, settled_at from handrail.rollup_fold"))[0];
    const before = await kept();
    await countNow();
    expect(await kept()).toEqual(before);

    await engine.rows("update handrail.rollup_fold set settled_at = clock_timestamp() - interval '31 seconds'");
    const stale = await kept();
    await countNow();
    await countNow();
    expect((await kept())?.settled_at).not.toEqual(stale?.settled_at);

    await engine.rows(ENDED, ["looked-at", 1]);
    await countNow();
    await countNow();
    expect(await sums("looked-at")).toMatchObject({ completed: 1 });
  });

  it("of a fold that dies before its commit are rolled back, and added by the next", async () => {
    await engine.rows(ENDED, ["dies", 3]);
    setFaultHandler((point) => {
      if (point === "rollups:before-commit") throw new Error("died");
    });
    await expect(countNow()).rejects.toThrow("died");
    setFaultHandler(undefined);
    expect(await sums("dies")).toMatchObject({ completed: null });
    await countNow();
    expect(await sums("dies")).toMatchObject({ completed: 3 });
  });

  it("hold no more names of steps than their bound", async () => {
    await engine.rows(
      `with added as (
         insert into handrail.run (id, workflow, version, status, input, started_at, finished_at)
         values (handrail.new_id(), 'names', 1, 'completed', '{}', clock_timestamp(), clock_timestamp()) returning id
       )
       insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
         key_generation, output, started_at, finished_at)
       select id, 'step' || chr(97 + n % 26) || chr(97 + n / 26), 1, 'step', 'pure', 'completed', n, n, 1, 1, 1, 'null', clock_timestamp(), clock_timestamp()
       from added, generate_series(0, $1::int) as n`,
      [MAX_STEP_NAMES + 9],
    );
    await countNow();
    const steps = await stepsOf("names");
    expect(steps).toHaveLength(MAX_STEP_NAMES + 1);
    expect(steps.find(({ step }) => step === "")).toMatchObject({ executions: 10 });
  });

  it("of old runs fill only the widths that are still kept, and are deleted when they expire", async () => {
    await engine.rows(
      `insert into handrail.run (id, workflow, version, status, input, created_at, started_at, finished_at)
       select handrail.new_id(), 'old', 1, 'completed', '{}', at, at, at from (select clock_timestamp() - interval '30 days' as at) as past`,
    );
    // As at the first fold of a database that has runs.
    await engine.rows(
      "delete from handrail.run_rollup; delete from handrail.step_rollup; update handrail.rollup_fold set ended_at = '-infinity'",
    );
    await countNow();
    expect(await sums("old", 15)).toMatchObject({ completed: null });
    expect(await sums("old", 60)).toMatchObject({ completed: 1 });
    expect(await sums("old", 360)).toMatchObject({ completed: 1 });
    expect(await deleteOldRollups(engine.db, 1_000)).toBe(0);
    await engine.rows("update handrail.run_rollup set at = at - interval '500 days' where workflow = 'old'");
    expect(await deleteOldRollups(engine.db, 1_000)).toBe(2);
  });
});

it("the doctor finds a run that is not counted, and one that is counted twice in a width", async () => {
  const broken = async () =>
    (await examine(engine.db, ROLLUP_RULES)).filter(({ hits }) => hits.length > 0).map(({ rule }) => rule.name);
  await engine.rows(ENDED, ["lost", 1]);
  await engine.rows("update handrail.rollup_fold set ended_at = clock_timestamp() + interval '2 minutes'");
  expect(await broken()).toContain("Every ended run is counted");
  await engine.rows("update handrail.rollup_fold set ended_at = '-infinity'");
  await engine.rows("truncate handrail.run_rollup, handrail.step_rollup");
  await countNow();
  expect(await broken()).toEqual([]);
  await engine.rows(
    "update handrail.run_rollup set completed = completed + 1 where minutes = 60 and workflow = 'lost'",
  );
  expect(await broken()).toEqual(["An hour counts as many runs as its minutes"]);
  await engine.rows(
    "update handrail.run_rollup set completed = completed - 1 where minutes = 60 and workflow = 'lost'",
  );
});
