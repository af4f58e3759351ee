import { ProgressBar } from "@/components/domain/run/progress-bar";
import { ATTENTION_LOOKS, RUN_LOOKS, WAIT_LOOKS } from "@/components/domain/run/run-looks";
import { SEGMENT_LOOKS } from "@/components/domain/run/segment-kinds";
import { ATTEMPT_LOOKS, COMPENSATION_LOOKS, STEP_LOOKS } from "@/components/domain/run/step-looks";
import { WORKER_LOOKS } from "@/components/domain/workers/worker-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { classNames } from "@/lib/class-names";
import { Specimen, Specimens } from "./specimen";

const AT = "2026-11-21T12:04:31.000Z";

const LOOKS = {
  "Of a run": RUN_LOOKS,
  "What it waits for": WAIT_LOOKS,
  "Why it needs attention": ATTENTION_LOOKS,
  "Of a step": STEP_LOOKS,
  "Of an attempt": ATTEMPT_LOOKS,
  "Of a compensation": COMPENSATION_LOOKS,
  "Of a worker": WORKER_LOOKS,
};

/** Status is shape, word and color; time is pattern and color: both are readable without the color. */
export function Languages() {
  return (
    <Specimens title="Status and time" note="shape and word first, colour last">
      {Object.entries(LOOKS).map(([name, looks]) => (
        <Specimen key={name} name={name}>
          {Object.entries(looks).map(([status, look]) => (
            <StatusLabel key={status} look={look} className="mr-2" />
          ))}
        </Specimen>
      ))}
      <Specimen name="On the timeline">
        {Object.entries(SEGMENT_LOOKS).map(([kind, { word, className }]) => (
          <span key={kind} className="mr-2 flex items-center gap-2 text-ink-2 text-small">
            <span aria-hidden className="relative block h-3.5 w-10">
              <span className={classNames("absolute inset-x-0", className)} />
            </span>
            {word}
          </span>
        ))}
      </Specimen>
      <Specimen name="Progress">
        <ProgressBar progress={{ done: 3, total: 12, note: "users", at: AT }} className="w-40" />
        <ProgressBar progress={{ done: 12, total: 12, note: "users", at: AT }} className="w-40" />
      </Specimen>
    </Specimens>
  );
}
