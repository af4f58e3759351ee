import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { stepHref } from "@/components/domain/run/step-href";
import type { Run, Step } from "@/lib/api/contract/run";
import { runNormalQuery } from "@/lib/api/hooks/beside-hooks";
import { stepPattern } from "@/lib/engine/steps/step-pattern";
import { formatDuration } from "@/lib/format";
import { usualWords } from "../layers/words";

/** How long the step's last attempt took, what is normal for it, and the same step of a good run. */
export function UsualTime({ run, step }: { run: Run; step: Step }) {
  const { data } = useQuery(runNormalQuery(run.id));
  const pattern = stepPattern(step.name);
  const normal = data?.steps.find((one) => one.step === pattern);
  if (!data || (!normal && !data.goodRun)) return null;
  const tookMs = step.finishedAt === null ? null : Date.parse(step.finishedAt) - Date.parse(step.startedAt);
  const isSlow = normal !== undefined && tookMs !== null && tookMs > normal.p95Ms;
  return (
    <p className="mt-2.5 text-ink-3 text-small">
      {tookMs !== null && <span className={isSlow ? "text-amber" : "text-ink-2"}>{formatDuration(tookMs)}, </span>}
      {normal && <>{usualWords(normal)}. </>}
      {data.goodRun && (
        <Link href={stepHref(data.goodRun.runId, step.name)} prefetch={false} className="text-accent underline">
          The same step of a good run
        </Link>
      )}
    </p>
  );
}
