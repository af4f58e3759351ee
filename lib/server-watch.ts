import type { Logger } from "./log";
import { type DeliveryDesk, deliver } from "./operator/notices/deliver";
import { send } from "./outbound/send";
import type { Server } from "./server";
import { lockDueDelivery, noWorkerLives } from "./store/notices/without-workers";
import { judgeAlerts } from "./worker/duties/judge-alerts";
import { handOverAll } from "./worker/duties/notice-loop";
import { Rounds } from "./worker/loop/rounds";

const PAUSE_MS = 5_000;
/** Deliveries at once: one receiver that does not answer must not hold up all others. */
const SENT_AT_ONCE = 4;

/**
 * What a console does so that somebody hears that no worker lives: it takes turns with workers in judging alert rules, and while
 * none lives it hands notices over and sends them itself.
 * @param open the server's parts; may throw while they cannot be had
 */
export function watchAlerts(open: () => Pick<Server, "env" | "db" | "auditKeys">, log: Logger): Rounds {
  let failing = false;
  const round = async (isStopped: () => boolean) => {
    const { env, db, auditKeys } = open();
    const { publicOrigin: origin, internalReceivers: internal, mail } = env;
    await judgeAlerts(db);
    if (await noWorkerLives(db)) {
      await handOverAll(db, isStopped);
      const desk: DeliveryDesk = {
        db,
        auditKeys,
        origin,
        send: (toSend, signal) => send({ internal, mail }, toSend, signal),
      };
      await Promise.all(Array.from({ length: SENT_AT_ONCE }, () => sendDue(desk, isStopped)));
    }
    failing = false;
  };
  return new Rounds(round, PAUSE_MS, (error) => {
    if (!failing) log.warn({ err: error }, "could not judge alert rules or notify about them; retrying");
    failing = true;
  });
}

/** Until nothing is due, or a worker lives. A message that fails is due again later. */
async function sendDue(desk: DeliveryDesk, isStopped: () => boolean): Promise<void> {
  for (let more = true; more && !isStopped(); )
    more = await desk.db.transaction(async (tx) => {
      const deliveryId = await lockDueDelivery(tx);
      if (deliveryId === undefined) return false;
      await deliver(desk, deliveryId, AbortSignal.timeout(SEND_MS)).catch(() => undefined);
      return true;
    });
}

/** Several requests of ten seconds, as Slack needs them. */
const SEND_MS = 45_000;
