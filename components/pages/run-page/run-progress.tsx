import { ProgressBar, progressText } from "@/components/domain/run/progress-bar";
import type { Run } from "@/lib/api/contract/run";

/** How far the run says it has come: the bar, and its words beside it. */
export function RunProgress({ progress }: { progress: NonNullable<Run["progress"]> }) {
  return (
    <p className="mt-2 flex max-w-[420px] items-center gap-3 text-ink-2 text-small">
      <ProgressBar progress={progress} className="min-w-24 flex-1" />
      <span className="tabular-nums">{progressText(progress)}</span>
    </p>
  );
}
