import { Instant } from "@/components/parts/time/instant";
import { useNow } from "@/components/parts/time/use-now";
import { snoozesOf } from "@/lib/actions/snooze";
import type { Run } from "@/lib/api/contract/run";

/** What of it is left out of what needs attention, and until when. */
export function Snoozed({ run }: { run: Run }) {
  const now = useNow() ?? 0;
  return snoozesOf(run, now).map(({ step, until, by }) => (
    <p key={step} className="mt-1 text-ink-3 text-small">
      {step === null ? "Snoozed" : `Compensation of ${step} snoozed`} by {by} until{" "}
      {until === null ? "it changes" : <Instant at={until} />}
    </p>
  ));
}
