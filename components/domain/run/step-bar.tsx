import type { StepBar as StepBarItem } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import type { StepStatus } from "@/lib/engine/steps/step";
import { plural } from "@/lib/format";

const FILLS = {
  running: "pattern-running",
  waiting: "ring-1 ring-violet ring-inset",
  completed: "bg-green opacity-75",
  failed: "bg-red",
  unknown: "pattern-unknown-solid",
  skipped: "bg-line-strong",
} as const satisfies Record<StepStatus, string>;

interface StepBarProps {
  steps: StepBarItem[];
  /** Of all the steps. */
  count: number;
  /** The step whose next attempt the run waits for: it is retrying, where others wait as they should. */
  retrying?: string | null | undefined;
}

/** One tick of colour per step, in order; the rest of a long run as a number. */
export function StepBar({ steps, count, retrying }: StepBarProps) {
  const rest = count - steps.length;
  return (
    <span
      role="img"
      data-drawn
      aria-label={textOf(steps, count)}
      title={textOf(steps, count)}
      className="inline-flex items-center gap-0.5"
    >
      {steps.map((step) => (
        <span
          key={step.name}
          className={classNames(
            "h-[5px] w-[13px] rounded-[1.5px]",
            step.status === "waiting" && step.name === retrying ? "bg-amber" : FILLS[step.status],
          )}
        />
      ))}
      {rest > 0 && <span className="ml-1 text-ink-3 text-micro">+{rest}</span>}
    </span>
  );
}

function textOf(steps: StepBarItem[], count: number): string {
  if (count === 0) return "No steps yet";
  const notDone = steps.filter((step) => step.status !== "completed").map((step) => `${step.name} ${step.status}`);
  return [plural(count, "step"), ...notDone].join(", ");
}
