import { expect, it } from "vitest";
import { z } from "zod";
import { defineEvent } from "../../engine/events/event";
import { prepareEvent } from "../../engine/events/prepare-event";
import type { BeginningEvent } from "../../engine/workflows/beginning-event";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { readWorkflows } from "../../operator/workflows/workflow-view";
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

it("only an event whose payload fits the filter starts a run; each workflow has its own", async () => {
  const paid = defineEvent({ name: "invoice.paid", payload: z.object({ cents: z.int(), country: z.string() }) });
  const audit = defineWorkflow(
    {
      name: "audit-large",
      input: paid.payload,
      on: { event: paid, where: { cents: { gte: 1_000 }, country: ["DE"] } },
    },
    async () => "audited",
  );
  const book = defineWorkflow({ name: "book", input: paid.payload, on: paid }, async () => "booked");
  await (await engine.worker([audit, book])).stop();
  const send = async (payload: unknown, id: string) =>
    sendEvent(engine.db, await prepareEvent("invoice.paid", payload, { id }));
  await send({ cents: 999, country: "DE" }, "small");
  await send({ cents: 5_000, country: "FR" }, "elsewhere");
  await send({ country: "DE" }, "without a sum");
  await send("DE", "no object");
  await send(null, "nothing");
  expect(await runsOf("audit-large")).toEqual([]);
  await send({ cents: 1_000, country: "DE" }, "large");
  await send({ cents: 1_000, country: "DE" }, "large");
  expect(await runsOf("audit-large")).toHaveLength(1);
  expect(await runsOf("book")).toHaveLength(6);
  const [view] = (await readWorkflows(engine.db)).workflows.filter(({ name }) => name === "audit-large");
  expect(view).toMatchObject({ on: "invoice.paid", onFields: ["cents", "country"] });
});

it("the newest version's filter counts, also that it has none; an older worker beside it does not widen it", async () => {
  const of = (version: number, where?: { n: { gt: number } }) =>
    defineWorkflow(
      {
        name: "filtered",
        version,
        input: z.object({ n: z.int() }),
        on: { event: "measured", ...(where && { where }) },
      },
      async () => version,
    );
  const send = async (n: number) => sendEvent(engine.db, await prepareEvent("measured", { n }, {}));
  await engine.worker([of(1)]);
  await engine.worker([of(2, { n: { gt: 10 } })]);
  await engine.worker([of(1)]);
  await send(5);
  expect(await runsOf("filtered")).toHaveLength(0);
  await engine.worker([of(2, { n: { gt: 3 } })]);
  await send(5);
  expect(await runsOf("filtered")).toHaveLength(1);
  await engine.worker([of(3)]);
  await send(1);
  expect(await runsOf("filtered")).toHaveLength(2);
});

it("a filter that cannot be is refused when the workflow is defined", () => {
  const input = signedUp.payload;
  const of = (where: object) => () =>
    defineWorkflow({ name: "odd", input, on: { event: signedUp, where: where as never } }, async () => undefined);
  expect(of({ plann: "free" })).toThrow(
    'The filter (where) of workflow "odd" names "plann", which the payload\'s schema does not have.',
  );
  expect(of({})).toThrow('The filter (where) of workflow "odd" has to name 1 to 20 fields.');
  expect(of({ plan: { like: "f%" } })).toThrow('unknown operator "like"');
  const typed = () => {
    // @ts-expect-error a field that the input does not have
    const where: BeginningEvent<{ userId: string }>["where"] = { userid: "u" };
    return of(where as object)();
  };
  expect(typed).toThrow('names "userid"');
});
