import { checkPayload, type EventDefinition, type EventToSend, prepareEvent } from "../../engine/events/event";
import { maySendEvent } from "../../engine/runs/operator-acts";
import type { Workflow } from "../../engine/workflows/workflow";
import { type SentEvent, sendEvent } from "../../store/events/send-event";
import { type Answer, answeredOnce } from "../answered-once";
import { decodeGiven } from "../given-value";
import { type Command, carryOut, type Desk } from "./command";

interface GivenEvent {
  name: string;
  /** Parsed JSON. */
  payload: unknown;
  /** Deduplicates: one id counts once. */
  id?: string | undefined;
}

/**
 * Sends an event to one run, as an operator's action with its audit row.
 * @throws HandrailError `not_allowed` if the run has ended; `invalid_input` if the payload does not fit an event that
 * its workflow declares
 */
export const sendEventToRun = async (desk: Desk, workflows: readonly Workflow[], given: GivenRunEvent) =>
  carryOut(desk, await sendEventCommand(workflows, given, desk.by.name));

interface GivenRunEvent extends GivenEvent {
  runId: string;
  reason?: string | undefined;
  revision?: number | undefined;
}

/** @throws HandrailError `invalid_input`, `invalid_request` */
export async function sendEventCommand(
  workflows: readonly Workflow[],
  given: GivenRunEvent,
  by: string,
): Promise<Command> {
  const { runId, name, id, reason = `Event "${name}" sent`, revision } = given;
  const { event, payload } = await prepared(given, { runId });
  return {
    act: "send_event",
    runId,
    reason,
    asked: { event: name, eventId: id ?? null },
    revision,
    isOpen: maySendEvent,
    change: async (tx, { run }) => {
      await checkByDefinitions(
        name,
        payload,
        workflows.filter((workflow) => workflow.name === run.workflow),
      );
      await sendEvent(tx, { ...event, sentBy: by });
    },
  };
}

/**
 * Sends an event to every run that waits for the key, now or later, and starts every workflow that is triggered by it.
 */
export async function sendEventToKey(
  desk: Desk,
  workflows: readonly Workflow[],
  given: GivenEvent & { key?: string | undefined },
): Promise<Answer<SentEvent>> {
  const { event, payload } = await prepared(given, given.key === undefined ? {} : { key: given.key });
  await checkByDefinitions(given.name, payload, workflows);
  const answer = await desk.db.transaction((tx) =>
    answeredOnce(tx, desk.request, async () => ({ status: 202, body: await sendEvent(tx, event) })),
  );
  desk.notifier.work();
  return answer;
}

async function prepared(
  { name, payload: json, id }: GivenEvent,
  address: { runId?: string; key?: string },
): Promise<{ event: EventToSend; payload: unknown }> {
  const payload = decodeGiven(json, `payload of event "${name}"`);
  return { event: await prepareEvent(name, payload, { ...address, ...(id !== undefined && { id }) }), payload };
}

/** By every definition of the event in these workflows. @throws HandrailError `invalid_input` */
export async function checkByDefinitions(
  name: string,
  payload: unknown,
  workflows: readonly Workflow[],
): Promise<void> {
  const known = new Set<EventDefinition>(
    workflows.flatMap(({ events }) => events).filter((event) => event.name === name),
  );
  for (const definition of known) await checkPayload(definition, payload);
}
