import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { startProxy } from "../../testing/database/proxy";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { type FaultPoint, setFaultHandler } from "../fault-points";

// An abandoned body continues all the same. Whatever it finds at its checkpoint: its rows count once.

const engine = anEngine();
const input = z.object({});
beforeAll(() => engine.rows("create table effect (run_id uuid, what text)"));

const effectsOf = async (runId: string) =>
  (await engine.rows<{ what: string }>("select what from effect where run_id = $1 order by what", [runId])).map(
    ({ what }) => what,
  );

/** A transaction beside a step that keeps the pass in memory, so that all its bodies write under one claim. */
function besideAStep(name: string, initialDelayMs: number, body: (attempt: number) => unknown = () => undefined) {
  const beside = gate();
  const workflow = defineWorkflow({ name, input, retry: { initialDelayMs, jitter: 0 } }, async (ctx) => {
    const [output] = await Promise.all([
      ctx.transaction(
        "write",
        async (tx, { attempt }) => {
          await tx.query("insert into effect (run_id, what) values ($1, $2)", [ctx.run.id, `attempt ${attempt}`]);
          await body(attempt);
          return attempt;
        },
        { client: "pg", timeoutMs: 600 },
      ),
      ctx.step("beside", () => beside.opened),
    ]);
    return output;
  });
  return { workflow, beside };
}

/** Holds the first passage of a point. */
function holdFirst(at: FaultPoint) {
  const held = gate();
  let first = true;
  setFaultHandler((point) => {
    if (point !== at || !first) return;
    first = false;
    return held.opened;
  });
  return held;
}

const untilWrite = (runId: string, wanted: string) =>
  engine.untilRun(runId, ({ steps }) => steps.some(({ name, status }) => name === "write" && status === wanted));

const untilNoTransactionIsOpen = () =>
  until("The end of every transaction", async () => {
    const open = await engine.rows(
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
    return open.length === 0;
  });

describe("an abandoned transaction", () => {
  it("rolls back if it reaches its checkpoint after another body's commit", async () => {
    const { workflow, beside } = besideAStep("tx-twice", 1);
    const held = holdFirst("transaction:before-checkpoint");
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await untilWrite(runId, "completed");
    held.open();
    await untilNoTransactionIsOpen();
    beside.open();
    const { run, steps } = await engine.untilEnded(runId);
    expect(run.output).toBe(2);
    expect(steps.find(({ name }) => name === "write")).toMatchObject({ attempt: 2, output: 2 });
    expect(await effectsOf(runId)).toEqual(["attempt 2"]);
  });

  it("commits nothing if its body ends while the next attempt is awaited", async () => {
    const held = gate();
    const { workflow, beside } = besideAStep("tx-late", 500, (attempt) => (attempt === 1 ? held.opened : undefined));
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await untilWrite(runId, "waiting");
    held.open();
    await untilNoTransactionIsOpen();
    expect(await effectsOf(runId)).toEqual([]);
    beside.open();
    expect((await engine.untilEnded(runId)).run.output).toBe(2);
    expect(await effectsOf(runId)).toEqual(["attempt 2"]);
  });
});

it("a transaction whose commit was not acknowledged keeps its outcome: its attempt did not fail", async () => {
  const proxy = await startProxy(engine.database.url);
  const workflow = defineWorkflow({ name: "tx-unacknowledged", input }, (ctx) =>
    ctx.transaction(
      "write",
      async (tx, { attempt }) => {
        await tx.query("insert into effect (run_id, what) values ($1, $2)", [ctx.run.id, `attempt ${attempt}`]);
        return attempt;
      },
      { client: "pg" },
    ),
  );
  // Not before it has registered, which is a transaction, too.
  await engine.worker([workflow], { url: proxy.url });
  const happened = proxy.loseAnswer("commit\0", "insert into effect");
  const runId = await engine.start(workflow);
  await happened;
  const { run, steps, attempts } = await engine.untilEnded(runId);
  expect(run).toMatchObject({ status: "completed", output: 1 });
  expect(steps).toMatchObject([{ attempt: 1, failures: 0 }]);
  expect(attempts).toEqual([]);
  expect(await effectsOf(runId)).toEqual(["attempt 1"]);
  await proxy.close();
});

it("a transaction that could not begin is no failure of its body, whatever that throws for it", async () => {
  const proxy = await startProxy(engine.database.url);
  const workflow = defineWorkflow({ name: "tx-not-begun", input }, (ctx) =>
    ctx.transaction(
      "write",
      async (tx) => {
        const reserved = tx.query("insert into effect (run_id, what) values ($1, $2)", [ctx.run.id, "once"]);
        await reserved.catch(() => {
          throw new NonRetryableError("Reserved already.");
        });
      },
      { client: "pg" },
    ),
  );
  await engine.worker([workflow], { url: proxy.url });
  // The connection waits in the pool, and is dead when it is used again.
  await engine.untilEnded(await engine.start(workflow));
  const happened = proxy.cut("insert into effect");
  const runId = await engine.start(workflow);
  await happened;
  const { run, steps, attempts } = await engine.untilEnded(runId);
  expect(run.status).toBe("completed");
  expect(steps).toMatchObject([{ attempt: 1, failures: 0 }]);
  expect(attempts).toEqual([]);
  expect(await effectsOf(runId)).toEqual(["once"]);
  await proxy.close();
});

it("an abandoned compensation that reaches its record after the next one's commit rolls back", async () => {
  const earlier = gate();
  const held = holdFirst("compensation:after-body");
  const workflow = defineWorkflow(
    { name: "undo-twice", input, onFailure: "compensate", retry: { initialDelayMs: 0, jitter: 0 } },
    async (ctx) => {
      // Its compensation comes last, and keeps the claim meanwhile.
      await ctx.step("earlier", () => "earlier", { compensate: () => earlier.opened });
      await ctx.transaction("write", async () => "written", {
        timeoutMs: 600,
        compensate: async (_, { attempt, tx }) => {
          await tx.$executeRaw`insert into effect (run_id, what) values (${ctx.run.id}::uuid, ${`undo ${attempt}`})`;
        },
      });
      throw new NonRetryableError("no way on");
    },
  );
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  await engine.untilRun(runId, ({ compensations }) =>
    compensations.some(({ step, status }) => step === "write" && status === "completed"),
  );
  held.open();
  await untilNoTransactionIsOpen();
  earlier.open();
  const { run, compensations } = await engine.untilEnded(runId);
  expect(run.status).toBe("compensated");
  expect(compensations).toMatchObject([{ step: "write", attempt: 2 }, { step: "earlier" }]);
  expect(await effectsOf(runId)).toEqual(["undo 2"]);
});
