import { HandrailError } from "../../engine/errors";
import type { NoticeEvent } from "../../engine/notices/notice";
import { databaseNow } from "../../store/database/database-now";
import type { Db } from "../../store/db";
import { insertDelivery, lockDelivery, redeliver } from "../../store/notices/deliveries";
import { lockDestination } from "../../store/notices/destinations";
import { startDelivery } from "../../store/notices/start-delivery";
import { newPlanId } from "../../store/run-id";
import type { Attempt } from "../audit/audited";
import { audited } from "../audit/audited";
import type { Desk } from "../desk";
import { noDelivery, readDelivery } from "./destination-view";

/**
 * Sends the same bytes under the same id, in another round of attempts. @throws HandrailError `not_found` or
 * `not_allowed`
 */
export function redeliverByHand(
  desk: Desk,
  { destinationId, deliveryId, reason }: { destinationId: string; deliveryId: string; reason: string },
) {
  const details = { destinationId, deliveryId };
  return beginDelivery(desk, { act: "redeliver", reason, details, destinationId }, async (tx) => {
    const { status } = await readDelivery(tx, deliveryId, destinationId);
    const delivery = await lockDelivery(tx, deliveryId);
    if (!delivery) throw noDelivery();
    // `status` includes that the run was ended; the row's own status does not.
    if (status === "gathering" || status === "sending")
      throw new HandrailError("not_allowed", "The message is already being sent.", { status });
    const runId = await startDelivery(tx, deliveryId, delivery.round + 1);
    await redeliver(tx, deliveryId, runId);
    return { id: deliveryId, runId };
  });
}

/** @throws HandrailError `not_found` or `not_allowed` */
export function sendTest(desk: Desk, destinationId: string) {
  const given = { act: "test_destination", reason: "A test.", details: { destinationId }, destinationId };
  return beginDelivery(desk, given, async (tx) => {
    const id = newPlanId();
    const runId = await startDelivery(tx, id, 1);
    await insertDelivery(tx, { id, destinationId, events: [aTest(await databaseNow(tx))], count: 1, runId });
    return { id, runId };
  });
}

const aTest = (at: Date): NoticeEvent => ({
  type: "test",
  at: at.toISOString(),
  sentence: "This is a test: this destination will be notified when something needs attention",
  workflows: [],
  step: null,
  runId: null,
  problemId: null,
  planId: null,
  operationId: null,
});

export interface Begun {
  act: string;
  reason: string;
  details: object;
  destinationId: string;
  /** That the message is about. */
  workflow?: string | undefined;
}

/** Under the destination's lock, which must be switched on. */
export async function beginDelivery(
  desk: Desk,
  { destinationId, ...given }: Begun,
  start: (tx: Db) => Promise<{ id: string; runId: string }>,
) {
  const attempt: Attempt = { ...given, runId: null };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const destination = await lockDestination(tx, destinationId);
    if (!destination) throw new HandrailError("not_found", "There is no such destination.");
    attempt.before = { enabled: destination.enabled };
    if (!destination.enabled)
      throw new HandrailError("not_allowed", "The destination is switched off: switch it on first.");
    const { id } = await start(tx);
    await record({ deliveryId: id, name: destination.name });
    return { status: 202, body: await readDelivery(tx, id, destinationId) };
  });
  desk.notifier.changeAtOnce(body.runId === null ? [] : [body.runId]);
  desk.notifier.work();
  return body;
}
