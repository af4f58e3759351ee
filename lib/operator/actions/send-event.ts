import type { EventToSend } from "../../engine/events/event";
import { prepareEvent } from "../../engine/events/prepare-event";
import type { WorkflowCode } from "../../engine/workflows/workflow-code";
import { type SentEvent, sendEvent } from "../../store/events/send-event";
import { tracedSend } from "../../traces/tracing";
import { type Answer, answeredOnce } from "../answered-once";
import type { Desk } from "../desk";
import { decodeGiven } from "../given-value";

interface GivenEvent {
  name: string;
  /** Parsed JSON. */
  payload: unknown;
  /** Deduplicates: one id counts once. */
  id?: string | undefined;
  /** Of the runs that it starts. */
  headers?: Record<string, string> | undefined;
}

/**
 * Sends an event to every run that waits for the key, now or later, and starts every workflow that is triggered by it.
 */
export async function sendEventToKey(
  desk: Desk,
  code: WorkflowCode,
  given: GivenEvent & { key?: string | undefined },
): Promise<Answer<SentEvent>> {
  const { event, payload } = await preparedEvent(given, given.key === undefined ? {} : { key: given.key });
  await code.checkPayload(given.name, payload);
  const answer = await tracedSend(event.name, { received: desk.trace ?? null }, (trace) =>
    desk.db.transaction((tx) =>
      answeredOnce(tx, desk.request, async () => ({ status: 202, body: await sendEvent(tx, { ...event, trace }) })),
    ),
  );
  desk.notifier.work();
  return answer;
}

export async function preparedEvent(
  { name, payload: json, id, headers }: GivenEvent,
  address: { runId?: string; key?: string },
): Promise<{ event: EventToSend; payload: unknown }> {
  const payload = decodeGiven(json, `payload of event "${name}"`);
  const own = { ...(id !== undefined && { id }), ...(headers !== undefined && { headers }) };
  return { event: await prepareEvent(name, payload, { ...address, ...own }), payload };
}
