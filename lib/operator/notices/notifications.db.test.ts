import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Sent } from "../../engine/notices/delivery";
import { DELIVERY_WORKFLOW, NOTICE_KINDS } from "../../engine/notices/notice";
import { defineWorkflow } from "../../engine/workflows/workflow";
import type { Outgoing } from "../../outbound/outgoing";
import { insertDestination } from "../../store/notices/destinations";
import { newPlanId } from "../../store/run-id";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { aRun } from "../../testing/rows/a-run";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { foldProblems } from "../../worker/duties/fold-problems";
import { handOverNotices } from "../../worker/duties/hand-over-notices";
import { type DeliveryDesk, deliver } from "./deliver";
import { deliveryWorkflow } from "./delivery-workflow";

const engine = anEngine();
// Rows inserted by hand claim four attempts without having them.
afterEach(() =>
  engine.rows(
    "insert into handrail.attempt (run_id, step, generation, number, status, error, started_at, finished_at) select run_id, name, generation, n, 'failed', error, started_at, started_at from handrail.step, generate_series(1, 3) n where attempt = 4 on conflict do nothing",
  ),
);
const TAKEN: Sent = { code: 204, error: null, retryAfterMs: 0, final: false, gone: false };
const REFUSED: Sent = { code: 500, error: "The receiver answered 500.", retryAfterMs: 0, final: false, gone: false };

/** A webhook receiver that records requests and answers as configured. */
function aReceiver(answer: (toSend: Outgoing, time: number) => Sent = () => TAKEN) {
  const got: Outgoing[] = [];
  const desk: DeliveryDesk = {
    db: engine.db,
    auditKeys: TEST_AUDIT_KEYS,
    origin: "https://handrail.example",
    send: async (toSend) => {
      got.push(toSend);
      return answer(toSend, got.length);
    },
  };
  return { got, desk, types: () => got.map(({ body }) => JSON.parse(body).type) };
}

let names = 0;
async function aDestination(given: { events?: readonly string[]; workflows?: string[]; perMinute?: number } = {}) {
  const id = newPlanId();
  await engine.rows("delete from handrail.notice");
  await engine.rows("delete from handrail.destination");
  await insertDestination(engine.db, id, {
    kind: "webhook",
    name: `d${++names}`,
    url: "https://example.com/hook",
    addresses: null,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    events: NOTICE_KINDS,
    workflows: null,
    perMinute: 10,
    enabled: true,
    createdBy: "mia",
    ...given,
  });
  return id;
}

const question = (name: string) =>
  defineWorkflow({ name, input: z.object({}) }, async (ctx) => {
    await ctx.approval("approve-refund", { question: "Refund 94 EUR to Lara?" });
  });

const deliveries = (destinationId: string) =>
  engine.rows<{
    id: string;
    status: string;
    event_count: number;
    run_id: string;
    attempts: number;
    error: string | null;
  }>(
    "select id, status, event_count, run_id, attempts, error from handrail.delivery where destination_id = $1 order by created_at, id",
    [destinationId],
  );

const failedOrder = (key: string) => aRun(engine.db, { idempotencyKey: key }).failedAt("charge-payment");

/** The next failure opens a separate problem. */
const forgetErrors = () => engine.rows("delete from handrail.problem_fingerprint");

async function handOver(): Promise<string[]> {
  while ((await foldProblems(engine.db)).length > 0);
  await engine.rows("update handrail.notice set due_at = at where kind = 'problem.opened'");
  return (await handOverNotices(engine.db)).runIds;
}

describe("what is notified", () => {
  it("a problem that opens is notified once, however many runs it holds, without any error's text", async () => {
    const id = await aDestination({ events: ["problem.opened"] });
    const { got, desk } = aReceiver();
    for (let n = 0; n < 3; n++) await failedOrder(`notified-${n}`);
    await handOver();
    const [delivery] = await deliveries(id);
    expect(await deliver(desk, delivery?.id as string, AbortSignal.timeout(5_000))).toBe("delivered");
    expect(got).toHaveLength(1);
    const message = JSON.parse(got[0]?.body as string);
    expect(message).toMatchObject({
      type: "problem.opened",
      data: { workflows: ["order-fulfilment"], step: "charge-payment", sentence: expect.stringContaining("(3 runs)") },
    });
    expect(message.data.url).toBe(`https://handrail.example/problems/${message.data.problemId}`);
    const [{ example_error }] = (await engine.rows<{ example_error: string }>(
      "select example_error from handrail.problem",
    )) as [{ example_error: string }];
    expect(got[0]?.body).not.toContain(JSON.parse(example_error).message);
  });

  it("a question of a run is sent by a run of Handrail's, without the question's text", async () => {
    const id = await aDestination();
    const { got, desk } = aReceiver();
    const asks = question("asks");
    const runId = await engine.start(asks, {});
    await engine.worker([asks, deliveryWorkflow(desk)]);
    await until("The message", () => got.length > 0);
    await until("Its record", async () => (await deliveries(id))[0]?.status === "delivered");
    const [sent] = got as [Outgoing];
    expect(JSON.parse(sent.body)).toMatchObject({
      type: "approval.waiting",
      data: { runId, step: "approve-refund", sentence: "asks waits for an answer at approve-refund" },
    });
    expect(sent.body).not.toContain("Lara");
    const [delivery] = await deliveries(id);
    expect(sent.id).toBe(delivery?.id);
    const history = await engine.untilEnded(delivery?.run_id as string);
    expect(history.run).toMatchObject({ status: "completed", workflow: DELIVERY_WORKFLOW });
  });

  it("a manual compensation that is owed, and one that failed", async () => {
    const id = await aDestination({ events: ["compensation.owed", "compensation.failed"] });
    const runId = await aRun(engine.db, { idempotencyKey: "owes" }).compensating();
    await engine.rows(
      "update handrail.compensation set status = 'failed', error = '{}' where run_id = $1 and mode = 'automatic' and status <> 'completed'",
      [runId],
    );
    await handOver();
    const rows = await engine.rows<{ events: { sentence: string; runId: string }[] }>(
      "select events from handrail.delivery where destination_id = $1 order by id",
      [id],
    );
    const sentences = rows.map(({ events }) => events[0]?.sentence);
    expect(sentences).toContain("order-fulfilment: send-confirmation must be compensated manually");
    expect(sentences).toContain("order-fulfilment: the compensation of charge-payment failed and needs manual action");
  });

  it("only the kinds that a destination chose, of its workflows", async () => {
    const others = await aDestination({ workflows: ["another"] });
    await forgetErrors();
    await failedOrder("theirs");
    await handOver();
    const questions = await aDestination({ events: ["approval.waiting"] });
    await forgetErrors();
    await failedOrder("asked");
    await handOver();
    expect([...(await deliveries(others)), ...(await deliveries(questions))]).toEqual([]);
    expect(await engine.rows("select from handrail.notice")).toEqual([]);
  });

  it("what happened before a destination existed is not sent to it", async () => {
    const id = await aDestination();
    await engine.rows(
      "insert into handrail.notice (kind, at, workflows, step, run_id) values ('approval.waiting', now() - interval '1 hour', '{w}', 's', gen_random_uuid())",
    );
    await handOver();
    expect(await deliveries(id)).toEqual([]);
    expect(await engine.rows("select from handrail.notice")).toEqual([]);
  });
});

describe("the number of messages", () => {
  const ask = (count: number) =>
    engine.rows(
      `insert into handrail.notice (kind, workflows, step, run_id)
      select 'approval.waiting', array['w' || n], 's', gen_random_uuid() from generate_series(1, $1::int) n`,
      [count],
    );

  it("a flood becomes a few messages, of which the last says how many more there are", async () => {
    const id = await aDestination({ perMinute: 3 });
    await ask(40);
    await handOver();
    expect((await deliveries(id)).map(({ event_count }) => event_count)).toEqual([1, 1, 38]);
    const { got, desk } = aReceiver();
    for (const delivery of await deliveries(id)) await deliver(desk, delivery.id, AbortSignal.timeout(5_000));
    const digest = JSON.parse(got[2]?.body as string);
    expect(digest).toMatchObject({ type: "digest", data: { count: 38, more: 28 } });
    expect(digest.data.sentence).toMatch(/ – and 37 more$/);
    expect(digest.data.events).toHaveLength(10);
  });

  it("later notices are held for a minute, all in one message, and nothing overtakes it", async () => {
    const id = await aDestination({ perMinute: 2 });
    await ask(2);
    await handOver();
    await ask(15);
    await handOver();
    await ask(5);
    await handOver();
    const held = (await deliveries(id)).filter(({ status }) => status === "gathering");
    expect(held).toMatchObject([{ event_count: 20, run_id: null }]);
    expect(
      await engine.rows("select jsonb_array_length(events) as shown from handrail.delivery where status = 'gathering'"),
    ).toEqual([{ shown: 10 }]);
    await engine.rows("update handrail.delivery set due_at = clock_timestamp() where status = 'gathering'");
    expect(await handOver()).toHaveLength(1);
    expect((await deliveries(id)).map(({ status, event_count }) => [status, event_count])).toEqual([
      ["sending", 1],
      ["sending", 1],
      ["sending", 20],
    ]);
  });

  it("two that hand over at once make one message of each notice", async () => {
    const id = await aDestination({ perMinute: 600 });
    await ask(200);
    await Promise.all(Array.from({ length: 4 }, () => handOverNotices(engine.db)));
    await handOver();
    expect(await deliveries(id)).toHaveLength(200);
    expect(await engine.rows("select from handrail.notice")).toEqual([]);
  });

  it("a problem that comes back at once is notified after a quiet time, if it is open by then", async () => {
    const id = await aDestination({ events: ["problem.opened", "problem.came_back"] });
    await forgetErrors();
    await failedOrder("quiet-1");
    await handOver();
    const [problem] = await engine.rows<{ id: string }>(
      "select id from handrail.problem order by told_at desc nulls last limit 1",
    );
    const set = (what: string) => engine.rows(`update handrail.problem set ${what} where id = $1`, [problem?.id]);
    const back = () =>
      engine.rows("insert into handrail.problem_history (problem_id, what, text) values ($1, 'came_back', 'again')", [
        problem?.id,
      ]);
    await back();
    await back();
    await handOver();
    expect(await deliveries(id)).toHaveLength(1);
    const later = "select kind from handrail.notice where due_at > clock_timestamp() + interval '10 minutes'";
    expect(await engine.rows(later)).toEqual([{ kind: "problem.came_back" }]);
    await set("told_at = told_at - interval '16 minutes'");
    await engine.rows("update handrail.notice set due_at = clock_timestamp()");
    await handOver();
    expect(await deliveries(id)).toHaveLength(2);
    await back();
    await set("status = 'resolved', resolved_at = now(), told_at = null");
    await handOver();
    expect(await deliveries(id)).toHaveLength(2);
    expect(await engine.rows("select from handrail.notice")).toEqual([]);
    await set("status = 'open', resolved_at = null");
  });
});

describe("an attempt that fails", () => {
  async function aMessage() {
    const destinationId = await aDestination();
    await engine.rows(
      "insert into handrail.notice (kind, workflows, step, run_id) values ('approval.waiting', '{w}', 's', gen_random_uuid())",
    );
    await handOver();
    const [delivery] = await deliveries(destinationId);
    return { destinationId, id: delivery?.id as string };
  }
  const attempt = (desk: DeliveryDesk, id: string) =>
    deliver(desk, id, AbortSignal.timeout(5_000)).catch((error) => error);

  it("is retried with the same bytes under the same id, at growing intervals, and finally given up", async () => {
    const { id, destinationId } = await aMessage();
    const { got, desk } = aReceiver(() => REFUSED);
    const ends = [];
    for (let n = 0; n < 9; n++) ends.push(await attempt(desk, id));
    const delays = ends.slice(0, 8).map(({ delayMs }) => delayMs);
    expect(delays).toEqual([...delays].sort((a, b) => a - b));
    expect(ends.at(-1)).toBe("failed");
    expect(new Set(got.map(({ id: webhookId, body }) => webhookId + body)).size).toBe(1);
    expect(await deliveries(destinationId)).toMatchObject([
      { status: "failed", attempts: 9, error: "The receiver answered 500." },
    ]);
    expect(await attempt(desk, id)).toBe("over");
    expect(got).toHaveLength(9);
  });

  it("that was cut off stays on record without an end, and the next one goes on", async () => {
    const { id } = await aMessage();
    const cut = { ...aReceiver().desk, at: () => Promise.reject(new Error("the process is gone")) };
    expect(await attempt(cut, id)).toMatchObject({ message: "the process is gone" });
    expect(await attempt(aReceiver().desk, id)).toBe("delivered");
    const attempts =
      "select number, code, ms is null as cut from handrail.delivery_attempt where delivery_id = $1 order by number";
    expect(await engine.rows(attempts, [id])).toEqual([
      { number: 1, code: null, cut: true },
      { number: 2, code: 204, cut: false },
    ]);
  });

  it("of a destination that was removed meanwhile has no effect", async () => {
    const { id, destinationId } = await aMessage();
    const { desk } = aReceiver();
    const removing: DeliveryDesk = {
      ...desk,
      send: async (toSend, signal) => {
        await engine.rows("delete from handrail.destination where id = $1", [destinationId]);
        return desk.send(toSend, signal);
      },
    };
    expect(await attempt(removing, id)).toBe("over");
    expect(await attempt(desk, id)).toBe("over");
  });
});
