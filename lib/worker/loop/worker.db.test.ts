import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { gate, until } from "../../testing/until";
import { startUntold, type TestWorker } from "../../testing/workers/a-worker";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});

beforeAll(() => engine.rows("create table effect (run_id uuid, what text)"));

/** How often the worker queries its database in a while. */
async function asked({ pool }: TestWorker, whileMs: number): Promise<number> {
  let times = 0;
  pool.on("acquire", () => times++);
  await delay(whileMs);
  return times;
}

describe("a worker with nothing to do", () => {
  it.each([
    ["while a run is due whose workflow it lacks", "lacks", "select 1"],
    ["while the due run is locked", "has", "select from handrail.run where id = $1 for update"],
  ])("does not ask without a pause %s", async (_, name, hold) => {
    const known = defineWorkflow({ name: "spin-has", input }, async () => undefined);
    const lacked = defineWorkflow({ name: "spin-lacks", input }, async () => undefined);
    const runId = await engine.start(name === "has" ? known : lacked);
    await engine.rows("update handrail.run set due_at = clock_timestamp() where id = $1", [runId]);
    const client = await engine.database.pool.connect();
    await client.query("begin");
    await client.query(hold, hold.includes("$1") ? [runId] : []);
    const times = await asked(await engine.worker([known]), 700);
    await client.query("commit");
    client.release();
    // A claim each 10 ms would be 70; one without a pause, many hundreds.
    expect(times).toBeLessThan(150);
    await engine.rows(
      "update handrail.run set status = 'cancelled', finished_at = now(), due_at = null where id = $1 and status = 'pending'",
      [runId],
    );
  });
});

describe("a worker", () => {
  it("keeps within its concurrency, and still runs all runs", async () => {
    const inFlight = { now: 0, most: 0 };
    const workflow = defineWorkflow({ name: "concurrency", input }, (ctx) =>
      ctx.step("a", async () => {
        inFlight.most = Math.max(inFlight.most, ++inFlight.now);
        await delay(5);
        inFlight.now--;
      }),
    );
    const ids = await Promise.all(Array.from({ length: 40 }, () => engine.start(workflow)));
    await engine.worker([workflow], { concurrency: 7 });
    for (const id of ids) expect((await engine.untilEnded(id)).run.status).toBe("completed");
    expect(inFlight.most).toBe(7);
  });

  it("leaves the runs of a workflow that it lacks to one that has it", async () => {
    const mine = defineWorkflow({ name: "version-mine", input }, async () => "mine");
    const other = defineWorkflow({ name: "version-other", input }, async () => "other");
    const [left, taken] = [await engine.start(other), await engine.start(mine)];
    await engine.worker([mine]);
    expect((await engine.untilEnded(taken)).run.output).toBe("mine");
    expect((await engine.historyOf(left)).run).toMatchObject({ status: "pending", epoch: 0 });
    await engine.worker([other]);
    expect((await engine.untilEnded(left)).run.output).toBe("other");
  });

  it("wakes for a run that another process started, well before its next poll", async () => {
    const workflow = defineWorkflow({ name: "woken", input }, async () => "awake");
    await engine.worker([workflow]);
    await until("The worker's ear", async () => {
      const ears = await engine.rows(
        "select from pg_stat_activity where datname = current_database() and application_name = 'handrail listener' and state = 'idle'",
      );
      return ears.length > 0;
    });
    const waitOf = async (isTold: boolean) => {
      const started = performance.now();
      const runId = await startUntold(engine.db, workflow);
      if (isTold) await engine.rows("select pg_notify('handrail_work', '')");
      await engine.untilEnded(runId);
      return performance.now() - started;
    };
    const waits = { notified: [] as number[], found: [] as number[] };
    for (let times = 0; times < 5; times++) {
      waits.notified.push(await waitOf(true));
      waits.found.push(await waitOf(false));
    }
    // Each starts just after the worker has checked: the next poll finds it 1.5 s later, on a slow machine as well.
    expect(median(waits.found) - median(waits.notified)).toBeGreaterThan(500);
  });
});

describe("a worker whose lease has ended", () => {
  it("stops: its signals abort, none of its work is written, and it claims nothing more", async () => {
    const begun = gate<AbortSignal>();
    const held = gate<string>();
    const later: string[] = [];
    let calls = 0;
    const workflow = defineWorkflow({ name: "lease-ends", input }, async (ctx) => {
      const output = await ctx.step("held", ({ signal }) => {
        if (++calls > 1) return "second owner";
        begun.open(signal);
        return held.opened;
      });
      await ctx.step("later", () => void later.push(output));
      return output;
    });
    const runId = await engine.start(workflow);
    const zombie = await engine.worker([workflow], { leaseMs: 1_000, name: "zombie" });
    const signal = await begun.opened;
    await engine.endLeases();
    expect(await takeOverLostRuns(engine.db)).toEqual([runId]);
    await until("The zombie's knowledge", () => zombie.isLost());
    expect(signal.aborted).toBe(true);
    held.open("first owner");
    await delay(50);
    expect((await engine.historyOf(runId)).steps.filter(({ status }) => status === "completed")).toEqual([]);
    await engine.worker([workflow], { name: "successor" });
    const { run, steps } = await engine.untilEnded(runId);
    expect(run.output).toBe("second owner");
    expect(steps).toMatchObject([{ output: "second owner" }, { status: "completed" }]);
    expect(later).toEqual(["second owner"]);
  });

  it("does not begin a run that a claim returns afterwards", async () => {
    const begun: string[] = [];
    const claimed = gate();
    const goOn = gate();
    const workflow = defineWorkflow({ name: "lease-ends-in-claim", input }, (ctx) =>
      ctx.step("a", () => void begun.push("a")),
    );
    const runId = await engine.start(workflow);
    setFaultHandler(async (point) => {
      if (point !== "claim:after" || (await engine.historyOf(runId)).run.status !== "running") return;
      claimed.open();
      await goOn.opened;
    });
    const zombie = await engine.worker([workflow], { leaseMs: 1_000, name: "zombie" });
    await claimed.opened;
    await engine.endLeases();
    await until("The zombie's knowledge", () => zombie.isLost());
    goOn.open();
    await zombie.stop(0);
    expect(begun).toEqual([]);
    expect(await takeOverLostRuns(engine.db)).toEqual([runId]);
    setFaultHandler(undefined);
    await engine.worker([workflow], { name: "successor" });
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
  });
});

it("an error in the engine fails its run visibly, and the others continue", async () => {
  const workflow = defineWorkflow({ name: "engine-error", input }, async () => "done");
  const broken = await engine.start(workflow);
  let struck = false;
  setFaultHandler((point) => {
    if (point !== "run:before-end" || struck) return;
    struck = true;
    throw new Error("a bug in the engine");
  });
  await engine.worker([workflow]);
  expect((await engine.untilEnded(broken)).run).toMatchObject({
    status: "failed",
    attention: "failed",
    error: { message: "a bug in the engine" },
  });
  expect((await engine.untilEnded(await engine.start(workflow))).run.output).toBe("done");
});

it("twenty runs end on one connection, and none fails for lack of another", async () => {
  const workflow = defineWorkflow({ name: "one-connection", input }, async (ctx) => {
    await Promise.all(
      ["a", "b"].map((name) =>
        ctx.transaction(
          name,
          async (tx) => {
            await tx.query("insert into effect (run_id, what) values ($1, $2)", [ctx.run.id, name]);
            await delay(5);
          },
          { client: "pg" },
        ),
      ),
    );
    await ctx.transaction("c", (tx) => tx.profile.create({ data: { userId: ctx.run.id, imageKey: "k" } }));
  });
  const ids = await Promise.all(Array.from({ length: 20 }, () => engine.start(workflow)));
  await engine.worker([workflow], { concurrency: 20, connections: 1 });
  for (const id of ids) {
    const { run, attempts } = await engine.untilEnded(id);
    expect(run.status).toBe("completed");
    expect(attempts).toEqual([]);
  }
});

it("with a database that repeatedly cuts every connection nothing is lost and nothing happens twice", async () => {
  const workflow = defineWorkflow(
    { name: "cut-connections", input, retry: { maxAttempts: 50, initialDelayMs: 5 } },
    async (ctx) => {
      const sum = await Promise.all(
        [1, 2, 3].map((item) =>
          ctx.transaction(
            `write:${item}`,
            async (tx) => {
              await tx.query("insert into effect (run_id, what) values ($1, $2)", [ctx.run.id, `item ${item}`]);
              await tx.query("select pg_sleep(0.005)");
              return item;
            },
            { client: "pg" },
          ),
        ),
      );
      await ctx.transaction("note", (tx) => tx.profile.create({ data: { userId: ctx.run.id, imageKey: "k" } }));
      await ctx.step("plain", () => delay(2));
      await ctx.sleep("nap", 20);
      return sum.length;
    },
  );
  const ids = await Promise.all(Array.from({ length: 25 }, () => engine.start(workflow)));
  await engine.worker([workflow], { concurrency: 25, connections: 8 });
  for (let times = 0; times < 12; times++) {
    await engine.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name in ('test worker', 'test worker app', 'handrail listener') and random() < 0.6`,
    );
    await delay(30);
  }
  for (const id of ids) expect((await engine.untilEnded(id)).run).toMatchObject({ status: "completed", output: 3 });
  const [effects] = await engine.rows(
    "select count(*)::int as rows, count(distinct (run_id, what))::int as different from effect where run_id = any ($1::uuid[])",
    [ids],
  );
  expect(effects).toEqual({ rows: 75, different: 75 });
});

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[times.length >> 1] as number;
