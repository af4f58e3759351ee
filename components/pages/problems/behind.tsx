import { Callout } from "@/components/ui/feedback/callout";
import { formatDuration } from "@/lib/format";

/** Below it, this is the worker's usual second. */
const WORTH_SAYING_MS = 10_000;

/** Warns when the counts are old. */
export function Behind({ ms }: { ms: number }) {
  if (ms < WORTH_SAYING_MS) return null;
  return (
    <Callout tone="amber" role="status" title={`These numbers are ${formatDuration(ms)} behind`}>
      <p className="text-ink-2">Failures are counted by workers. Check that one is live; nothing is lost meanwhile.</p>
    </Callout>
  );
}
