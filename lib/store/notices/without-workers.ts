import type { Db, Statement } from "../db";

/* How messages leave while no worker lives: by a console, which owns no run. */

/** Workers in other languages hand nothing over. */
const NO_WORKER = `not exists (select from handrail.worker where stopped_at is null and lease_expires_at > clock_timestamp() and language is null)`;

const livesStatement: Statement = { name: "no-worker-lives", text: `select ${NO_WORKER} as none` };

export async function noWorkerLives(db: Db): Promise<boolean> {
  return (await db.query<{ none: boolean }>(livesStatement, []))[0]?.none ?? false;
}

/*
 * Guarantee: while the transaction is open, no worker claims the run that sends the delivery, and no other console takes it. Races
 * with: a worker that starts meanwhile (its claims and its take-over skip what is locked), and finds the delivery done.
 */
const lockStatement: Statement = {
  name: "lock-due-delivery",
  text: `
    select delivery.id::text from handrail.delivery join handrail.run on run.id = delivery.run_id
    where delivery.status = 'sending' and coalesce(delivery.next_attempt_at, '-infinity') <= clock_timestamp() and ${NO_WORKER}
    order by delivery.created_at limit 1 for no key update of run skip locked`,
};

// The request lasts longer than a console's transactions may pause.
const patienceStatement: Statement = {
  name: "wait-in-transaction",
  text: "select set_config('idle_in_transaction_session_timeout', '60s', true)",
};

/** The next delivery that is due while no worker lives, for the rest of the transaction. */
export async function lockDueDelivery(tx: Db): Promise<string | undefined> {
  const [due] = await tx.query<{ id: string }>(lockStatement, []);
  if (due) await tx.query(patienceStatement, []);
  return due?.id;
}
