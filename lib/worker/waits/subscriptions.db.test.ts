import { expect, it } from "vitest";
import { z } from "zod";
import { defineEvent } from "../../engine/events/event";
import { prepareEvent } from "../../engine/events/prepare-event";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { clientDb } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();

const signedUp = defineEvent({
  name: "user.signed-up",
  payload: z.object({ userId: z.string(), plan: z.string().default("free") }),
});
const welcome = defineWorkflow(
  { name: "welcome", input: signedUp.payload, on: signedUp },
  async (ctx, { userId, plan }) => `${userId} on ${plan} (${ctx.run.tags.eventKey})`,
);
const count = defineWorkflow({ name: "count-users", input: z.unknown(), on: "user.signed-up" }, async () => "counted");

const runsOf = (workflow: string) =>
  engine.rows<{ id: string }>("select id from handrail.run where workflow = $1 order by id", [workflow]);

it("each event starts one run of every subscriber, also if it is sent again or the sender lacks their code", async () => {
  const worker = await engine.worker([welcome, count]);
  await worker.stop();
  const event = await prepareEvent("user.signed-up", { userId: "u-1" }, { key: "u-1", id: "evt-1" });
  expect(await sendEvent(engine.db, event)).toMatchObject({ created: true });
  await Promise.all(Array.from({ length: 5 }, () => sendEvent(engine.db, event)));
  const [first, ...others] = await runsOf("welcome");
  expect(others).toEqual([]);
  expect(await runsOf("count-users")).toHaveLength(1);
  await engine.worker([welcome, count]);
  // The schema's default, since the claimant validates the input.
  expect((await engine.untilEnded(first?.id as string)).run.output).toBe("u-1 on free (u-1)");
});

it("a payload that is not a valid input fails the run with the paths, before its code runs", async () => {
  await engine.worker([welcome]);
  await sendEvent(engine.db, await prepareEvent("user.signed-up", { userId: 7 }, { id: "evt-2" }));
  const runId = (await runsOf("welcome")).at(-1)?.id as string;
  const { run, steps } = await engine.untilEnded(runId);
  expect(run).toMatchObject({ status: "failed", error: { code: "invalid_input" } });
  expect(run.error?.message).toContain("userId");
  expect(steps).toEqual([]);
});

it("the run starts with the sender's transaction, or not at all", async () => {
  const before = (await runsOf("welcome")).length;
  const client = await engine.database.pool.connect();
  const event = await prepareEvent("user.signed-up", { userId: "u-3" }, { id: "evt-3" });
  await client.query("begin");
  await sendEvent(clientDb(client), event);
  await client.query("rollback");
  expect(await runsOf("welcome")).toHaveLength(before);
  await client.query("begin");
  await sendEvent(clientDb(client), event);
  await client.query("commit");
  client.release();
  expect(await runsOf("welcome")).toHaveLength(before + 1);
});

it("the newest version decides whether an event starts the workflow", async () => {
  const v1 = defineWorkflow({ name: "changing", version: 1, input: z.unknown(), on: "tick" }, async () => 1);
  const v2 = defineWorkflow({ name: "changing", version: 2, input: z.unknown() }, async () => 2);
  await engine.worker([v1]);
  await engine.worker([v2]);
  await engine.worker([v1]);
  await sendEvent(engine.db, await prepareEvent("tick", null, {}));
  expect(await runsOf("changing")).toEqual([]);
});
