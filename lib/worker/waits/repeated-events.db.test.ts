import { expect, it } from "vitest";
import { z } from "zod";
import type { EventOptions } from "../../engine/events/event";
import { prepareEvent } from "../../engine/events/prepare-event";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { readRun } from "../../operator/runs/reads";
import { readWorkflow } from "../../operator/workflows/workflow-view";
import { clientDb, poolDb } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();

const send = async (name: string, payload: unknown, options: EventOptions, db = engine.db) =>
  sendEvent(db, await prepareEvent(name, payload, options));

const waiter = defineWorkflow({ name: "repeats", input: z.unknown() }, (ctx) =>
  ctx.waitForEvent("wait", { event: "parcel.seen", key: "P-7" }),
);

it("a repeated event is shown with the original, before and after it was taken, and changes nothing", async () => {
  const runId = await engine.start(waiter);
  expect(await send("parcel.seen", 1, { key: "P-7", id: "scan-1" })).toMatchObject({ created: true });
  expect(await send("parcel.seen", 2, { key: "P-7", id: "scan-1" })).toMatchObject({ created: false });
  await engine.worker([waiter]);
  expect((await engine.untilEnded(runId)).run.output).toBe(1);
  await send("parcel.seen", 3, { key: "P-7", id: "scan-1" });
  const { events } = await readRun(engine.db, runId);
  expect(events).toMatchObject([
    { id: "scan-1", payload: 1, takenByStep: "wait", takenAt: expect.any(String), repeats: 2 },
  ]);
  expect(events[0]?.repeatedAt).toEqual(expect.any(String));
});

it("a repeated event to a run is shown, also when the run has ended", async () => {
  const runId = await engine.start(waiter);
  await send("parcel.seen", 1, { runId, id: "a" });
  await engine.worker([waiter]);
  await engine.untilEnded(runId);
  expect(await send("parcel.seen", 1, { runId, id: "a" })).toMatchObject({ created: false });
  expect((await readRun(engine.db, runId)).events).toMatchObject([{ id: "a", repeats: 1 }]);
});

it("a sender does not wait for a locked event: then the repeat is not counted", async () => {
  await send("parcel.lost", 1, { id: "held" });
  const holder = await engine.database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("select from handrail.event where id = 'held' for update");
    expect(await send("parcel.lost", 1, { id: "held" })).toMatchObject({ created: false });
    await holder.query("rollback");
  } finally {
    holder.release();
  }
  await send("parcel.lost", 1, { id: "held" });
  expect(await engine.rows("select repeats from handrail.event where id = 'held'")).toEqual([{ repeats: 1 }]);
});

it("a repeat in a transaction that is rolled back is not counted", async () => {
  await send("parcel.found", 1, { id: "back" });
  const client = await engine.database.pool.connect();
  try {
    await client.query("begin");
    await send("parcel.found", 1, { id: "back" }, clientDb(client));
    await client.query("rollback");
  } finally {
    client.release();
  }
  expect(await engine.rows("select repeats from handrail.event where id = 'back'")).toEqual([{ repeats: 0 }]);
});

it("a run that an event started names it; a run that was started under the same key does not", async () => {
  const bookkeeping = defineWorkflow(
    { name: "repeat-bookkeeping", input: z.unknown(), on: "order.repeated" },
    async () => "done",
  );
  await engine.worker([bookkeeping]);
  await send("order.repeated", {}, { key: "A-1", id: "psp:77" });
  const [row] = await engine.rows<{ id: string }>(
    "select id::text from handrail.run where workflow = 'repeat-bookkeeping'",
  );
  expect((await readRun(engine.db, row?.id as string)).begunBy).toEqual({
    name: "order.repeated",
    id: "psp:77",
    key: "A-1",
  });
  const byHand = await engine.start(bookkeeping, {}, { idempotencyKey: "event:order.repeated:78" });
  expect((await readRun(engine.db, byHand)).begunBy).toBeNull();
  expect(await readWorkflow(poolDb(engine.database.pool), "repeat-bookkeeping")).toMatchObject({
    on: "order.repeated",
  });
  await engine.untilEnded(byHand);
});
