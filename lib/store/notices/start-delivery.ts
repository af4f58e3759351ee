import { DELIVERY_WORKFLOW } from "../../engine/notices/notice";
import { encodeValue } from "../../engine/values/codec";
import type { Db } from "../db";
import { insertRunOnce } from "../runs/start-run";

/** An internal run that sends the delivery, once a round; in the transaction that records it. Returns its id. */
export async function startDelivery(tx: Db, deliveryId: string, round: number): Promise<string> {
  const { id } = await insertRunOnce(tx, {
    workflow: DELIVERY_WORKFLOW,
    version: 1,
    input: encodeValue({ deliveryId }),
    tags: { delivery: deliveryId },
    idempotencyKey: `${deliveryId}:${round}`,
    runTitle: null,
    runAt: null,
    delayMs: null,
    priority: 0,
    queueKey: null,
    debounce: null,
  });
  return id;
}
