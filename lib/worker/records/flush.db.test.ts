import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import type { Db } from "../../store/db";
import { record } from "../../store/steps/record";
import { recordStep } from "../../store/steps/record-step";
import type { ClaimRecord } from "../../store/workers/claim-record";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { anAttempt, aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";
import { WriteBuffer } from "./write-buffer";

const engine = anEngine();

type Claimed = Pick<ClaimedRun, "id" | "epoch">;

/** Runs held by a worker each, of a separate workflow for the test. */
async function claims(name: string, count: number) {
  const workflow = defineWorkflow({ name, input: z.object({}) }, async () => undefined);
  for (let index = 0; index < count; index++) await engine.start(workflow);
  const claimed = [];
  // One after the other: of simultaneous claims, one may find nothing and retry later.
  for (let index = 0; index < count; index++) claimed.push(await claimOne(engine.db, workflow));
  return claimed;
}

const completed = (claim: Claimed, output = '"done"'): ClaimRecord => aRecord(claim, { step: aStepRecord({ output }) });

/** The database with a hook before or after each of its statements. */
function around(given: { before?: () => Promise<void>; after?: () => Promise<void> }): Db {
  return {
    ...engine.db,
    query: async <Row>(...statement: Parameters<Db["query"]>) => {
      await given.before?.();
      const rows = await engine.db.query<Row>(...statement);
      await given.after?.();
      return rows;
    },
  };
}

/** Fails the first `times` calls, as a connection that breaks does. */
function breaking(times: number) {
  let calls = 0;
  return async () => {
    if (++calls <= times) throw new Error("Connection terminated unexpectedly");
  };
}

const keptOutputs = async (ids: string[]) =>
  (
    await engine.rows<{ output: string }>("select output from handrail.step where run_id = any ($1::uuid[])", [ids])
  ).map(({ output }) => output);

describe("a record", () => {
  it.each([1, 5])("is acknowledged after its commit (%i at once)", async (count) => {
    const runs = await claims(`flush-commit-${count}`, count);
    const held = gate();
    const buffer = new WriteBuffer(around({ before: () => held.opened }));
    let acknowledged = 0;
    const kept = Promise.all(runs.map((run) => buffer.keep(completed(run)).then(() => acknowledged++)));
    await delay(50);
    expect(acknowledged).toBe(0);
    held.open();
    await kept;
    expect(await keptOutputs(runs.map(({ id }) => id))).toHaveLength(count);
  });

  it.each([
    ["before it was executed", 1, { before: breaking(3) }],
    ["before it was executed", 5, { before: breaking(2) }],
    ["after it was executed", 1, { after: breaking(3) }],
    ["after it was executed", 5, { after: breaking(2) }],
  ])("whose flush broke %s is sent again (%i at once)", async (when, count, trouble) => {
    const runs = await claims(`flush-${when.replaceAll(" ", "-")}-${count}`, count);
    const buffer = new WriteBuffer(around(trouble));
    await Promise.all(runs.map((run) => buffer.keep(completed(run))));
    expect(await keptOutputs(runs.map(({ id }) => id))).toEqual(Array(count).fill('"done"'));
  });

  it.each([2, 6])("that Postgres refuses fails alone (one of %i)", async (count) => {
    const [bad, ...good] = await claims(`flush-refused-${count}`, count);
    const buffer = new WriteBuffer(engine.db);
    const outcomes = await Promise.allSettled([
      buffer.keep(completed(bad as Claimed, '"\0"')),
      ...good.map((run) => buffer.keep(completed(run))),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", ...good.map(() => "fulfilled")]);
    expect(outcomes[0]).toMatchObject({ reason: { code: "22021" } });
    expect(await keptOutputs(good.map(({ id }) => id))).toHaveLength(good.length);
  });

  it.each([2, 6])("of a locked run waits, and the others do not (one of %i)", async (count) => {
    const [held, ...free] = await claims(`flush-held-${count}`, count);
    const buffer = new WriteBuffer(engine.db);
    let waiting: Promise<unknown> | undefined;
    await engine.db.transaction(async (tx) => {
      await tx.query({ name: "", text: "select from handrail.run where id = $1 for update" }, [held?.id]);
      waiting = buffer.keep(completed(held as Claimed));
      waiting.catch(() => undefined);
      await Promise.all(free.map((run) => buffer.keep(completed(run))));
      expect(await keptOutputs([held?.id as string])).toEqual([]);
    });
    await waiting;
    expect(await keptOutputs([held?.id as string])).toEqual(['"done"']);
  });
});

describe("a kept outcome", () => {
  it("is final, whatever is recorded after it", async () => {
    const run = (await claims("flush-final", 1))[0] as Claimed;
    await record(engine.db, [completed(run, '"first"')]);
    await record(engine.db, [completed(run, '"second"')]);
    const step = aStepRecord({ output: '"third"' });
    expect(await recordStep(engine.db, { runId: run.id, epoch: run.epoch, step })).toMatchObject({ written: false });
    expect(await keptOutputs([run.id])).toEqual(['"first"']);
  });
});

it("a start mark that arrives late has no effect", async () => {
  const run = (await claims("flush-late-mark", 1))[0] as Claimed;
  const waiting = aRecord(run, { step: aStepRecord({ status: "waiting" }), attempt: anAttempt() });
  await record(engine.db, [waiting]);
  await record(engine.db, [aRecord(run, { step: aStepRecord({ status: "running" }) })]);
  expect((await engine.historyOf(run.id)).steps).toMatchObject([{ status: "waiting", attempt: 1 }]);
  await record(engine.db, [aRecord(run, { step: aStepRecord({ status: "running", attempt: 2 }) })]);
  expect((await engine.historyOf(run.id)).steps).toMatchObject([{ status: "running", attempt: 2 }]);
});

it("the body of a once step begins after the commit of its start mark", async () => {
  const order: string[] = [];
  const workflow = defineWorkflow({ name: "flush-start-mark", input: z.object({}) }, (ctx) =>
    ctx.step("send", () => void order.push("body"), { effect: "once" }),
  );
  setFaultHandler(async (point) => {
    if (point === "flush:before") await delay(50);
    if (point === "flush:after") order.push("flushed");
  });
  await engine.runToEnd(workflow);
  expect(order.slice(0, 3)).toEqual(["flushed", "body", "flushed"]);
});
