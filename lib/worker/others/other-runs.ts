import type { EventDefinition, EventOptions } from "../../engine/events/event";
import type { CancelOtherOptions, OtherRuns } from "../../engine/workflows/other-runs";

/** What a step does to another run. */
export type OtherWrite =
  | { kind: "cancel"; runId: string; reason: string | undefined }
  | { kind: "send"; event: string | EventDefinition; payload: unknown; options: EventOptions };

/** By the steps of a context. */
export const otherRuns = (step: (name: string, write: OtherWrite) => Promise<unknown>): OtherRuns =>
  ({
    cancelRun: (name: string, runId: string, { reason }: CancelOtherOptions = {}) =>
      step(name, { kind: "cancel", runId, reason }),
    sendEvent: (name: string, event: string | EventDefinition, payload: unknown, options: EventOptions = {}) =>
      step(name, { kind: "send", event, payload, options }),
  }) as OtherRuns;

/** The other run, which the step's page leads to. */
export const referenceOf = (write: OtherWrite): string | undefined =>
  write.kind === "cancel" ? write.runId : write.options.runId;
