import { v7 as uuidv7 } from "uuid";
import { HandrailError } from "../../engine/errors";
import type { EventToSend } from "../../engine/events/event";
import type { Db, Statement } from "../db";
import { storedHeaders } from "../runs/stored-headers";

export interface SentEvent {
  id: string;
  /** False if this id was sent before: then nothing was written. */
  created: boolean;
}

/** The function wakes waiters and starts subscribed workflows; see the migration for its races. */
const putStatement: Statement = {
  name: "put-event",
  text: `
    select put as outcome
    from handrail.put_event($1::text, $2::text, $3::uuid, $4::text, $5::text, $6::text, $7::text, $8::jsonb) as put`,
};

// A separate statement: the function may have waited for the end of the run.
const statusStatement: Statement = {
  name: "status-for-event",
  text: "select status from handrail.run where id = $1::uuid",
};

/**
 * Keeps an event for its waiters, now or later, in the caller's transaction.
 * @throws HandrailError `unknown_run`; `not_allowed` when the run has ended. Nothing is written then
 */
export async function sendEvent(db: Db, event: EventToSend): Promise<SentEvent> {
  const id = event.id ?? uuidv7();
  const { name, runId, key, payload, sentBy } = event;
  const [row] = await db.query<{ outcome: string }>(putStatement, [
    name,
    id,
    runId,
    key,
    payload,
    sentBy,
    event.trace ?? null,
    storedHeaders(event),
  ]);
  if (row?.outcome === "unknown_run") throw new HandrailError("unknown_run", `There is no run ${runId}.`);
  if (row?.outcome === "ended") {
    const [run] = await db.query<{ status: string }>(statusStatement, [runId]);
    const status = run?.status ?? "deleted";
    throw new HandrailError("not_allowed", `The run no longer accepts events: it is ${status}.`, { status });
  }
  return { id, created: row?.outcome === "sent" };
}
