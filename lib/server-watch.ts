import { isRetryAfter } from "./engine/steps/retry-policy";
import type { Logger } from "./log";
import { type DeliveryDesk, deliver } from "./operator/notices/deliver";
import { send } from "./outbound/send";
import type { Server } from "./server";
import { planAttempt } from "./store/notices/deliveries";
import { lockDueDelivery, noWorkerLives } from "./store/notices/without-workers";
import { judgeAlerts } from "./worker/duties/judge-alerts";
import { handOverAll } from "./worker/duties/notice-loop";
import { Rounds } from "./worker/loop/rounds";

const PAUSE_MS = 5_000;
/** Deliveries at once: one receiver that does not answer must not hold up all others. */
const SENT_AT_ONCE = 4;
/** After that, a round begins nothing more: alert rules are to be judged again. */
const ROUND_MS = 10_000;
/** Before the next try of a delivery that could not be sent, such as with a secret that this process cannot open. */
const UNSENT_MS = 60_000;

/**
 * What a console does so that somebody hears that no worker lives: it takes turns with workers in judging alert rules, and while
 * none lives it hands notices over and sends them itself.
 * @param open the server's parts; may throw while they cannot be had
 */
export function watchAlerts(open: () => Pick<Server, "env" | "db" | "auditKeys">, log: Logger): Rounds {
  let failing = false;
  const round = async (isStopped: () => boolean) => {
    const end = performance.now() + ROUND_MS;
    const isOver = () => isStopped() || performance.now() > end;
    const { env, db, auditKeys } = open();
    const { publicOrigin: origin, internalReceivers: internal, mail } = env;
    await judgeAlerts(db);
    if (await noWorkerLives(db)) {
      await handOverAll(db, isOver);
      const desk: DeliveryDesk = {
        db,
        auditKeys,
        origin,
        send: (toSend, signal) => send({ internal, mail }, toSend, signal),
      };
      await Promise.all(Array.from({ length: SENT_AT_ONCE }, () => sendDue(desk, isOver)));
    }
    failing = false;
  };
  return new Rounds(round, PAUSE_MS, (error) => {
    if (!failing) log.warn({ err: error }, "could not judge alert rules or notify about them; retrying");
    failing = true;
  });
}

/** Until nothing is due, a worker lives, or the round is over. A message that fails is due again later. */
async function sendDue(desk: DeliveryDesk, isOver: () => boolean): Promise<void> {
  for (let more = true; more && !isOver(); )
    more = await desk.db.transaction(async (tx) => {
      const deliveryId = await lockDueDelivery(tx);
      if (deliveryId === undefined) return false;
      try {
        await deliver(desk, deliveryId, AbortSignal.timeout(SEND_MS));
      } catch (error) {
        // Whatever it was: without a time of its next attempt, it would be the next one again, without end.
        await planAttempt(tx, deliveryId, isRetryAfter(error) ? error.delayMs : UNSENT_MS);
      }
      return true;
    });
}

/** Several requests of ten seconds, as Slack needs them. */
const SEND_MS = 45_000;
