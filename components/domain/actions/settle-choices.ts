import type { Choice } from "@/components/ui/form/choice-cards";
import type { Resolution } from "@/lib/actions/settle";
import type { Step } from "@/lib/api/contract/run";

/** The choices for resolving a step, in words; for a step with retries exhausted, only what can replace its result. */
export function settleChoices(step: Pick<Step, "status" | "canAsk">): Choice<Resolution>[] {
  const skip: Choice<Resolution> = {
    value: "skip",
    text: "Skip it",
    note: "The run goes on without its result; later steps get nothing from it.",
  };
  if (step.status === "failed")
    return [
      {
        value: "happened",
        text: "It was done by hand",
        note: "Supply its output; the run goes on as if the step had completed.",
      },
      skip,
    ];
  return [
    {
      value: "ask",
      text: "Ask the receiver",
      note: step.canAsk
        ? "The step's own code looks its key up there and says what became of it."
        : "This step's code cannot ask. Look there yourself, with the idempotency key.",
      closed: !step.canAsk,
    },
    {
      value: "happened",
      text: "It happened",
      note: "You found it at the receiver. Give its output and its reference; it does not run again.",
    },
    {
      value: "did_not_happen",
      text: "It did not happen",
      note: "You looked and it is not there. It runs now, with the same key.",
    },
    skip,
  ];
}

export const SETTLED_TOASTS = {
  happened: "Recorded as done; the run goes on",
  did_not_happen: "The step runs now",
  ask: "Asking the receiver",
  skip: "Skipped; the run goes on",
} as const satisfies Record<Resolution, string>;

export const SETTLE_BUTTONS = {
  happened: "Record that it happened",
  did_not_happen: "Run it",
  ask: "Ask the receiver",
  skip: "Skip the step",
} as const satisfies Record<Resolution, string>;
