import Link from "next/link";
import { stepHref } from "@/components/domain/run/step-href";
import { lookOfStep } from "@/components/domain/run/step-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { Step } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { formatDuration, plural } from "@/lib/format";
import { ChangeList } from "./change-list";
import { type ComparedStep, type Difference, errorOf, isParting } from "./step-difference";

const WORDS = {
  missing: "only in one run",
  status: "status",
  error: "error",
  moved: "order",
  kind: "declared differently",
  attempts: "attempts",
  output: "result",
  time: "time",
} as const satisfies Record<Difference, string>;

interface ComparedStepRowProps {
  step: ComparedStep;
  hereId: string;
  thereId: string;
}

/** One step of both runs: its status in each, and how they differ. */
export function ComparedStepRow({ step: compared, hereId, thereId }: ComparedStepRowProps) {
  const { name, here, there, differences, output, hereMs, thereMs } = compared;
  return (
    <li className="grid gap-1 border-line border-t px-3 py-2 first:border-t-0">
      <div className="grid gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <p className="min-w-0">
          <span className="break-words font-medium font-mono text-small">{name}</span>
          {differences.length > 0 && (
            <span className={classNames("block text-small", isParting(compared) ? "text-amber" : "text-ink-3")}>
              {differences.map((name) => WORDS[name]).join(", ")}
            </span>
          )}
        </p>
        <Side label="Here" step={here} tookMs={hereMs} href={stepHref(hereId, name)} />
        <Side label="There" step={there} tookMs={thereMs} href={stepHref(thereId, name)} />
      </div>
      {differences.includes("output") && (
        <Disclosure
          summary={`Outputs differ in ${plural(output.changes.length, "place")}${output.more ? " or more" : ""}`}
        >
          <div className="pt-1.5">
            <ChangeList changes={output} what={`outputs of ${name}`} />
          </div>
        </Disclosure>
      )}
    </li>
  );
}

function Side({
  label,
  step,
  tookMs,
  href,
}: {
  label: string;
  step: Step | null;
  tookMs: number | null;
  href: string;
}) {
  if (!step)
    return (
      <p className="text-ink-3">
        <span className="text-small md:sr-only">{label}: </span>missing
      </p>
    );
  const error = errorOf(step);
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="text-ink-3 text-small md:sr-only">{label}:</span>
        <Link href={href} className="rounded hover:underline">
          <StatusLabel look={lookOfStep(step)} />
        </Link>
        <span className="text-ink-3 text-small">
          {tookMs !== null && formatDuration(tookMs)}
          {step.attempt > 1 && ` · ${plural(step.attempt, "attempt")}`}
        </span>
      </p>
      {error && <p className="break-words text-ink-3 text-small">{error.split("\n")[0]}</p>}
    </div>
  );
}
