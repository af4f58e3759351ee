import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import type { PgTransaction } from "../../engine/workflows/step-options";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { aRegisteredWorker } from "../../testing/rows/claims";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});
const QUICK = { initialDelayMs: 1, jitter: 0 };

beforeAll(() => engine.rows("create table effect (run_id uuid, what text)"));

const effectsOf = async (runId: string) =>
  (await engine.rows<{ what: string }>("select what from effect where run_id = $1 order by what", [runId])).map(
    ({ what }) => what,
  );
const write = (tx: PgTransaction, runId: string, what: string) =>
  tx.query("insert into effect (run_id, what) values ($1, $2)", [runId, what]);

describe("a transactional step", () => {
  it("commits its rows and its checkpoint together, through Prisma and through pg", async () => {
    const workflow = defineWorkflow({ name: "both-clients", input }, async (ctx) => {
      await ctx.transaction("prisma", (tx) =>
        tx.order.create({ data: { id: ctx.run.id, amountCents: 1, email: "a@example.com" } }),
      );
      return ctx.transaction("pg", async (tx) => (await write(tx, ctx.run.id, "pg")).rowCount, { client: "pg" });
    });
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: 1 });
    expect(steps).toMatchObject([
      { kind: "transaction", status: "completed", output: { id: run.id, amountCents: 1, createdAt: expect.any(Date) } },
      { kind: "transaction", status: "completed", output: 1 },
    ]);
    expect(await engine.rows(`select amount_cents from demo."order" where id = $1`, [run.id])).toEqual([
      { amount_cents: 1 },
    ]);
    expect(await effectsOf(run.id)).toEqual(["pg"]);
  });

  it("leaves nothing behind of an attempt that failed", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "tx-fails", input, retry: QUICK }, (ctx) =>
      ctx.transaction(
        "write",
        async (tx) => {
          await write(tx, ctx.run.id, `attempt ${++calls}`);
          if (calls === 1) throw new Error("changed my mind");
          return calls;
        },
        { client: "pg" },
      ),
    );
    const { run, attempts } = await engine.runToEnd(workflow);
    expect(await effectsOf(run.id)).toEqual(["attempt 2"]);
    expect(attempts).toMatchObject([{ number: 1, status: "failed" }]);
  });

  it("whose output cannot be kept commits nothing, and says so", async () => {
    const workflow = defineWorkflow({ name: "tx-bad-output", input, retry: QUICK }, (ctx) =>
      ctx.transaction(
        "write",
        async (tx) => {
          await write(tx, ctx.run.id, "written");
          return () => "a function";
        },
        { client: "pg" },
      ),
    );
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", failed_step: "write", error: { code: "invalid_value" } });
    expect(steps).toMatchObject([{ status: "failed", attempt: 1 }]);
    expect(await effectsOf(run.id)).toEqual([]);
  });

  it("survives the end of its session, whether it is between two statements or at its commit", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "tx-cut", input, retry: QUICK }, (ctx) =>
      ctx.transaction(
        "write",
        async (tx) => {
          await write(tx, ctx.run.id, "written");
          if (++calls > 1) return calls;
          const { rows } = await tx.query<{ pid: number }>("select pg_backend_pid() as pid");
          await engine.rows("select pg_terminate_backend($1)", [rows[0]?.pid]);
          await delay(50);
          return calls;
        },
        { client: "pg" },
      ),
    );
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: 2 });
    expect(steps).toMatchObject([{ attempt: 1, failures: 0 }]);
    expect(attempts).toEqual([]);
    expect(await effectsOf(run.id)).toEqual(["written"]);
  });
});

/** A demoted primary, a server that shuts down, crashes or starts, a pooler or a network that lost the session. */
describe.each(["25006", "57P01", "57P02", "57P03", "08006", "08P01"])("a database in trouble (%s)", (code) => {
  const raise = `do $$ begin raise exception 'trouble' using errcode = '${code}'; end $$`;

  it("does not fail a step whose transaction met it: the step retries", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: `tx-trouble-${code.toLowerCase()}`, input }, async (ctx) => {
      await ctx.transaction(
        "by-pg",
        async (tx) => {
          await write(tx, ctx.run.id, "by pg");
          if (++calls < 3) await tx.query(raise);
        },
        { client: "pg" },
      );
      await ctx.transaction("by-prisma", async (tx) => {
        await tx.$executeRaw`insert into effect (run_id, what) values (${ctx.run.id}::uuid, 'by prisma')`;
        if (++calls < 5) await tx.$executeRawUnsafe(raise);
      });
      return calls;
    });
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    expect(run.output).toBe(5);
    expect(steps.map(({ attempt, failures }) => [attempt, failures])).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(attempts).toEqual([]);
    expect((await effectsOf(run.id)).sort()).toEqual(["by pg", "by prisma"]);
  });
});

describe("a conflict with another transaction", () => {
  it.each(["40001", "40P01"])("(%s) does not fail the step: the step retries at once", async (code) => {
    let calls = 0;
    const workflow = defineWorkflow({ name: `tx-conflict-${code.toLowerCase()}`, input }, (ctx) =>
      ctx.transaction(
        "write",
        async (tx) => {
          await write(tx, ctx.run.id, "written");
          if (++calls < 4) await tx.query(`do $$ begin raise exception 'conflict' using errcode = '${code}'; end $$`);
          return calls;
        },
        { client: "pg" },
      ),
    );
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    expect(run.output).toBe(4);
    expect(steps).toMatchObject([{ attempt: 1, failures: 0 }]);
    expect(attempts).toEqual([]);
    expect(await effectsOf(run.id)).toEqual(["written"]);
  });

  it("that Prisma meets is retried, too", async () => {
    let calls = 0;
    const workflow = defineWorkflow({ name: "tx-prisma-conflict", input }, (ctx) =>
      ctx.transaction("write", async (tx) => {
        await tx.profile.create({ data: { userId: ctx.run.id, imageKey: "k" } });
        if (++calls === 1) await tx.$executeRaw`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`;
        return calls;
      }),
    );
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run.output).toBe(2);
    expect(steps).toMatchObject([{ attempt: 1 }]);
  });
});

it("trouble that a body causes each time fails its attempt in the end", async () => {
  let calls = 0;
  const workflow = defineWorkflow({ name: "tx-trouble-maker", input, retry: { maxAttempts: 1 } }, (ctx) =>
    ctx.transaction(
      "write",
      async (tx) => {
        calls++;
        await tx.query("do $$ begin raise exception 'trouble' using errcode = '57P01'; end $$");
      },
      { client: "pg" },
    ),
  );
  const { run } = await engine.runToEnd(workflow);
  expect(run).toMatchObject({ status: "failed", failed_step: "write" });
  expect(calls).toBe(11);
});

/** Two bodies of one step: the first is held until the second has reached the point that the test wants. */
function outliving(name: string, maxAttempts: number, timeoutMs: number) {
  const held = gate();
  const workflow = defineWorkflow({ name, input, retry: { ...QUICK, maxAttempts } }, async (ctx) => {
    const output = await ctx.transaction(
      "write",
      async (tx, { attempt }) => {
        await write(tx, ctx.run.id, `attempt ${attempt}`);
        if (attempt === 1) await held.opened;
        return `attempt ${attempt}`;
      },
      { client: "pg", timeoutMs },
    );
    return output;
  });
  return { workflow, held };
}

describe("a transaction that outlives its timeout", () => {
  it("commits nothing", async () => {
    // On a busy machine a later attempt may take too long as well.
    const { workflow, held } = outliving("tx-outlives", 10, 200);
    const { run, attempts } = await engine.runToEnd(workflow);
    held.open();
    expect(run.output).toMatch(/^attempt [2-9]/);
    expect(attempts[0]).toMatchObject({ number: 1, status: "failed", error: { code: "step_timed_out" } });
    await untilNoTransactionIsOpen();
    expect(await effectsOf(run.id)).toEqual([run.output]);
  });

  it.each([
    ["another attempt is left", "a", 3],
    ["none is left", "b", 1],
  ])("while it commits decides, when %s: the code and the database agree", async (_, letter, maxAttempts) => {
    const { workflow, held } = outliving(`tx-commits-late-${letter}`, maxAttempts, 1_000);
    held.open();
    // Its checkpoint is written, and its commit takes long enough for the timeout to pass.
    await engine.rows(`
      create or replace function late() returns trigger language plpgsql as 'begin perform pg_sleep(1.5); return null; end';
      create constraint trigger late after insert on effect initially deferred for each row execute function late()`);
    onTestFinished(async () => void (await engine.rows("drop trigger late on effect")));
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "completed", output: "attempt 1" });
    expect(steps).toMatchObject([{ status: "completed", output: "attempt 1" }]);
    expect(await effectsOf(run.id)).toEqual(["attempt 1"]);
  });
});

async function untilNoTransactionIsOpen(): Promise<void> {
  await until("The end of every transaction", async () => {
    const open = await engine.rows(
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
    return open.length === 0;
  });
}

describe("a transaction of a worker that has lost the run", () => {
  it("commits neither its rows nor its checkpoint", async () => {
    const reached = gate();
    const held = gate();
    let calls = 0;
    const workflow = defineWorkflow({ name: "tx-stale", input }, (ctx) =>
      ctx.transaction(
        "write",
        async (tx) => {
          const call = ++calls;
          await write(tx, ctx.run.id, `owner ${call}`);
          if (call === 1) {
            reached.open();
            await held.opened;
          }
          return call;
        },
        { client: "pg" },
      ),
    );
    const runId = await engine.start(workflow);
    const first = await engine.worker([workflow], { name: "first" });
    await reached.opened;
    await engine.endLeases();
    expect(await takeOverLostRuns(engine.db)).toEqual([runId]);
    await engine.worker([workflow], { name: "second" });
    const { run } = await engine.untilEnded(runId);
    held.open();
    await first.stop(0);
    await untilNoTransactionIsOpen();
    expect(run.output).toBe(2);
    expect(await effectsOf(runId)).toEqual(["owner 2"]);
  });

  it("whose checkpoint meets the takeover waits for it, and then rolls back", async () => {
    const workflow = defineWorkflow({ name: "tx-races-takeover", input }, (ctx) =>
      ctx.transaction("write", (tx) => write(tx, ctx.run.id, "stale").then(() => "stale"), { client: "pg" }),
    );
    const runId = await engine.start(workflow);
    // To a worker that does nothing with it: this one must not get the run again.
    const heir = await aRegisteredWorker(engine.db);
    const takeover = new pg.Client({ connectionString: engine.database.url, application_name: "takeover" });
    await takeover.connect();
    let taken = false;
    setFaultHandler(async (point) => {
      if (point !== "transaction:before-checkpoint" || taken) return;
      taken = true;
      await takeover.query("begin");
      await takeover.query("update handrail.run set epoch = epoch + 1, worker_id = $2 where id = $1", [runId, heir]);
    });
    const worker = await engine.worker([workflow], { name: "stale worker" });
    // Of the checkpoint, not of the start's mark, which a slow machine sends over the engine's own connections.
    await until("The wait of the checkpoint for the takeover", async () => {
      const waiting = await engine.rows(`
        select from pg_stat_activity as waits, unnest(pg_blocking_pids(waits.pid)) as blocker
        join pg_stat_activity as holds on holds.pid = blocker
        where waits.application_name = 'stale worker app' and holds.application_name = 'takeover'
          and waits.datname = current_database()`);
      return waiting.length > 0;
    });
    await takeover.query("commit");
    await takeover.end();
    await worker.stop();
    await untilNoTransactionIsOpen();
    expect(await effectsOf(runId)).toEqual([]);
    // On a slow machine the mark of its start exists from before the takeover; its outcome never does.
    expect((await engine.historyOf(runId)).steps.filter(({ status }) => status !== "running")).toEqual([]);
  });
});
