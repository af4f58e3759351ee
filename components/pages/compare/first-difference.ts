import type { Run } from "@/lib/api/contract/run";
import type { RunStatus } from "@/lib/engine/runs/run";
import type { StepStatus } from "@/lib/engine/steps/step";
import { plural } from "@/lib/format";
import { type ComparedStep, isParting } from "./step-difference";

const MOST_MESSAGE = 140;

const STEP_DID = {
  running: "is running",
  waiting: "waits",
  completed: "completed",
  failed: "failed",
  unknown: "has an unknown outcome",
  skipped: "was skipped",
} as const satisfies Record<StepStatus, string>;

const RUN_DID = {
  pending: "has not started",
  running: "is running",
  waiting: "waits",
  completed: "completed",
  failed: "failed",
  cancelled: "was cancelled",
  compensating: "is compensating",
  compensated: "was compensated",
  paused: "is paused",
} as const satisfies Record<RunStatus, string>;

/** Where two runs diverge, in one sentence for a reader who does not know the code. */
export function firstDifference(here: Run, there: Run, steps: ComparedStep[]): string {
  const first = steps.findIndex(isParting);
  const parting = steps[first];
  if (parting) return `${upTo(first)}${describeDifference(parting)}`;
  const ends =
    here.status === there.status ? "" : ` This run ${RUN_DID[here.status]}, the other run ${RUN_DID[there.status]}.`;
  const outputs = steps.filter(({ differences }) => differences.includes("output"));
  const slow = steps.filter(({ differences }) => differences.includes("time"));
  if (outputs.length === 0 && slow.length === 0)
    return steps.length === 0 ? `Neither run has started a step.${ends}` : `Same path, same outputs.${ends}`;
  const parts = [
    outputs.length > 0 &&
      `${plural(outputs.length, "output")} ${outputs.length === 1 ? "differs" : "differ"}, starting at “${outputs[0]?.name}”`,
    slow.length > 0 &&
      `“${slow[0]?.name}” took much ${(slow[0]?.hereMs ?? 0) > (slow[0]?.thereMs ?? 0) ? "longer" : "less time"} here`,
  ].filter((part) => part !== false);
  return `Same path. ${parts.join(", and ")}.${ends}`;
}

function upTo(count: number): string {
  if (count === 0) return "They diverge at step 1: ";
  return `Same path for ${plural(count, "step")}; then `;
}

function describeDifference({ name, here, there, differences }: ComparedStep): string {
  const quoted = `“${name}”`;
  if (here && !there) return `this run reaches ${quoted}, the other run does not.`;
  if (!here && there) return `the other run reaches ${quoted}, this run does not.`;
  if (!here || !there) return "";
  const [one, other] = [STEP_DID[here.status], STEP_DID[there.status]];
  if (differences.includes("status"))
    return `${quoted} ${one} here${why(here.error?.message)}, and ${other} there${why(there.error?.message)}.`;
  if (differences.includes("error"))
    return `${quoted} ${one} for another reason${why(here.error?.message)} here${why(there.error?.message)} there.`;
  if (differences.includes("moved")) return `${quoted} runs in a different order.`;
  return `${quoted} is declared differently: ${here.kind}, ${here.effect} here, ${there.kind}, ${there.effect} there.`;
}

/** The first line of the error, as an aside. */
function why(message: string | undefined): string {
  const line = message?.trim().split("\n")[0]?.replace(/[.]$/, "");
  if (!line) return "";
  return ` (${line.length > MOST_MESSAGE ? `${line.slice(0, MOST_MESSAGE)}…` : line})`;
}
