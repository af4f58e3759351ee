import type { StepBar as StepBarItem } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import type { StepStatus } from "@/lib/engine/step";
import { plural } from "@/lib/format";

const FILLS = {
  running: "pattern-running",
  waiting: "bg-amber",
  completed: "bg-green opacity-75",
  failed: "bg-red",
  unknown: "pattern-unknown-solid",
  skipped: "bg-line-strong",
} as const satisfies Record<StepStatus, string>;

/** A waiting step that was never tried sleeps; one that was is retrying. */
const fillOf = (step: StepBarItem) =>
  step.status === "waiting" && step.maxAttempts <= 1 ? "pattern-waiting" : FILLS[step.status];

/** One tick of colour per step, in order; the rest of a long run as a number. */
export function StepBar({ steps, count }: { steps: StepBarItem[]; count: number }) {
  const rest = count - steps.length;
  return (
    <span
      role="img"
      aria-label={textOf(steps, count)}
      title={textOf(steps, count)}
      className="inline-flex items-center gap-0.5"
    >
      {steps.map((step) => (
        <span key={step.name} className={classNames("h-[5px] w-[13px] rounded-[1.5px]", fillOf(step))} />
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
