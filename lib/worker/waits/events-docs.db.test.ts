import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineEvent } from "../../engine/events/event";
import { prepareEvent } from "../../engine/events/prepare-event";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { sendEvent } from "../../store/events/send-event";
import { answerApproval } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";

// --- what docs/events-and-approvals.md shows
const orderPaid = defineEvent({
  name: "order.paid",
  payload: z.object({ orderId: z.string(), cents: z.int() }),
});

const shipment = defineWorkflow(
  { name: "shipment", input: z.object({ orderId: z.string(), cents: z.int() }), events: [orderPaid] },
  async (ctx, { orderId, cents }) => {
    const payment = await ctx.waitForEvent("wait-for-payment", {
      event: orderPaid,
      key: orderId,
      timeout: "3d",
      default: null,
    });
    if (!payment) return "never paid";
    if (payment.cents === cents) return "shipped";
    const answer = await ctx.approval("other-sum", {
      question: `Order ${orderId} was paid with ${payment.cents} instead of ${cents} cents. Ship it?`,
      choices: ["ship", "refund"],
      data: payment,
    });
    return answer.choice === "ship" ? "shipped" : "refunded";
  },
);
// --- and
const bookkeeping = defineWorkflow(
  { name: "bookkeeping", input: orderPaid.payload, on: orderPaid },
  async (ctx, { orderId, cents }) => `${orderId}: ${cents} (${ctx.run.tags.eventKey})`,
);
// --- and
const largePayment = defineWorkflow(
  { name: "large-payment", input: orderPaid.payload, on: { event: orderPaid, where: { cents: { gte: 100_000 } } } },
  async (ctx, { orderId }) =>
    void (await ctx.approval("look", { question: `Is ${orderId} paid by a customer we know?` })),
);
// --- to here

const engine = anEngine();

it("the page shows the code of this file", () => {
  const page = readFileSync("docs/events-and-approvals.md", "utf8");
  const parts = readFileSync(fileURLToPath(import.meta.url), "utf8").split(/^\/\/ --- .*\n/m);
  for (const shown of parts.slice(1, 4)) expect(page).toContain(shown);
});

it("begins for a large payment only", async () => {
  const input = { orderId: "A-9", cents: 99_999 };
  await (await engine.worker([largePayment])).stop();
  for (const cents of [99_999, 100_000])
    await sendEvent(engine.db, await prepareEvent(orderPaid, { ...input, cents }, { key: `${cents}` }));
  const begun = await engine.rows<{ key: string }>(
    "select tags ->> 'eventKey' as key from handrail.run where workflow = 'large-payment'",
  );
  expect(begun).toEqual([{ key: "100000" }]);
});

it("waits for the payment, asks about a different sum, and books every payment", async () => {
  const pay = async (orderId: string, cents: number) =>
    sendEvent(engine.db, await prepareEvent(orderPaid, { orderId, cents }, { key: orderId, id: `psp-${orderId}` }));
  const exact = await engine.start(shipment, { orderId: "A-1", cents: 4_900 });
  const other = await engine.start(shipment, { orderId: "A-2", cents: 4_900 });
  await engine.worker([shipment, bookkeeping]);
  await pay("A-1", 4_900);
  await pay("A-2", 100);
  expect((await engine.untilEnded(exact)).run.output).toBe("shipped");
  await engine.untilRun(other, ({ run }) => run.waiting_kind === "approval");
  await answerApproval(aDesk(engine.db), { runId: other, step: "other-sum", choice: "refund" });
  expect((await engine.untilEnded(other)).run.output).toBe("refunded");
  const books = await engine.rows<{ id: string }>(
    "select id from handrail.run where workflow = 'bookkeeping' order by id",
  );
  expect(books).toHaveLength(2);
  expect((await engine.untilEnded(books[0]?.id as string)).run.output).toBe("A-1: 4900 (A-1)");
});
