import { standingSteps } from "@/components/domain/run/rerun-split";
import type { EventView, Run, Step } from "@/lib/api/contract/run";

/** A step that waits for an event, and until when. */
export interface OpenWait {
  step: string;
  event: string;
  key: string | null;
  since: string;
  until: string | null;
}

const waitsForEvent = ({ kind, wait }: Step) => kind === "event" && wait?.event != null;

export const hasToDoWithEvents = (run: Run) =>
  run.begunBy !== null || run.events.length > 0 || run.steps.some(waitsForEvent);

/** Longest first, the order in which events are assigned. */
export function openWaits(run: Run): OpenWait[] {
  return standingSteps(run.steps)
    .filter((step) => waitsForEvent(step) && step.status === "waiting")
    .flatMap(({ name, wait, nextAttemptAt }) =>
      wait?.event ? [{ step: name, event: wait.event, key: wait.key, since: wait.since, until: nextAttemptAt }] : [],
    )
    .sort((a, b) => a.since.localeCompare(b.since));
}

/** Whether the event was there before the step that took it began to wait. */
export function cameEarly(run: Run, event: EventView): boolean {
  const taker = run.steps.find(({ name, wait }) => name === event.takenByStep && wait !== null);
  return taker?.wait != null && event.sentAt < taker.wait.since;
}
