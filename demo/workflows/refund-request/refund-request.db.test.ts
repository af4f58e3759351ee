import { expect, it } from "vitest";
import { prepareEvent } from "../../../lib/engine/events/prepare-event";
import { sendEvent } from "../../../lib/store/events/send-event";
import { answerApproval } from "../../../lib/testing/actions";
import { aDesk } from "../../../lib/testing/desk";
import { anEngine } from "../../../lib/testing/workers/engine";
import { parcelReturned, refundRequest } from "./refund-request";

const engine = anEngine();

const request = (accountId: string, amountCents: number) => ({
  accountId,
  orderId: `order-${accountId}`,
  parcelId: `parcel-${accountId}`,
  amountCents,
  reason: "too small",
});
const balance = async (accountId: string) =>
  (await engine.rows("select balance_cents::int from demo.account where id = $1", [accountId]))[0]?.balance_cents;
const parcel = async (parcelId: string, payload: { damaged?: boolean } = {}) =>
  sendEvent(engine.db, await prepareEvent(parcelReturned, { parcelId, ...payload }, { key: parcelId }));

it("a large refund waits for a person, then for the parcel, and is paid once", async () => {
  const runId = await engine.start(refundRequest, request("large", 12_000));
  await engine.worker([refundRequest]);
  const asking = await engine.untilResting(runId);
  expect(asking.run).toMatchObject({ waiting_kind: "approval", waiting_step: "approve-refund", attention: "approval" });
  const desk = aDesk(engine.db, { actor: "mia" });
  await answerApproval(desk, { runId, step: "approve-refund", choice: "approve", note: "a good customer" });
  await engine.untilRun(runId, ({ run }) => run.status === "waiting" && run.waiting_kind === "event");
  await parcel("parcel-large");
  const { run, steps } = await engine.untilEnded(runId);
  expect(run).toMatchObject({ status: "completed", attention: null, output: { refunded: true } });
  expect(steps[0]?.output).toEqual({ choice: "approve", by: "mia", note: "a good customer", at: expect.any(Date) });
  expect(await balance("large")).toBe(12_000);
});

it("a rejected refund, and a damaged parcel, are not paid", async () => {
  const rejected = await engine.start(refundRequest, request("rejected", 12_000));
  const damaged = await engine.start(refundRequest, request("damaged", 500));
  await parcel("parcel-damaged", { damaged: true });
  await engine.worker([refundRequest]);
  await engine.untilResting(rejected);
  await answerApproval(aDesk(engine.db), { runId: rejected, step: "approve-refund", choice: "reject", note: "worn" });
  expect((await engine.untilEnded(rejected)).run.output).toEqual({ refunded: false, why: "worn" });
  expect((await engine.untilEnded(damaged)).run.output).toEqual({ refunded: false, why: "damaged" });
  expect(await balance("rejected")).toBeUndefined();
});
