import type { Choice } from "@/components/ui/form/choice-cards";
import type { Resolution } from "@/lib/actions/settle";
import type { Step } from "@/lib/api/contract/run";

/** The choices for resolving a step, in words; for a step with retries exhausted, only what can replace its result. */
export function settleChoices(step: Pick<Step, "status" | "canAsk">): Choice<Resolution>[] {
  const skip: Choice<Resolution> = {
    value: "skip",
    text: "Skip step",
    note: "The run continues without its output; later steps receive no output.",
  };
  if (step.status === "failed")
    return [
      {
        value: "happened",
        text: "It was done manually",
        note: "Set its output; the run continues as if the step had completed.",
      },
      skip,
    ];
  return [
    {
      value: "ask",
      text: "Check with provider",
      note: step.canAsk
        ? "Looks up the idempotency key at the provider."
        : "This step's code cannot check. Look up the idempotency key at the provider yourself.",
      closed: !step.canAsk,
    },
    {
      value: "happened",
      text: "It happened",
      note: "Found at the provider. Enter its output and reference; the step does not run again.",
    },
    {
      value: "did_not_happen",
      text: "It did not happen",
      note: "Not found at the provider. Runs again with the same key.",
    },
    skip,
  ];
}

export const SETTLED_TOASTS = {
  happened: "Recorded as done; the run continues",
  did_not_happen: "The step runs now",
  ask: "Checking with the provider",
  skip: "Skipped; the run continues",
} as const satisfies Record<Resolution, string>;

export const SETTLE_BUTTONS = {
  happened: "Record that it happened",
  did_not_happen: "Run the step",
  ask: "Check with provider",
  skip: "Skip the step",
} as const satisfies Record<Resolution, string>;
