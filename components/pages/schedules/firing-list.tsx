import Link from "next/link";
import { RUN_LOOKS } from "@/components/domain/run/run-looks";
import { CAUSE_WORDS, FIRING_LOOKS } from "@/components/domain/schedules/schedule-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { Card } from "@/components/ui/layout/card";
import type { Firing } from "@/lib/api/contract/schedules";

/** The results of the last nominal times, latest first. */
export function FiringList({ firings, name }: { firings: Firing[]; name: string }) {
  const { zone } = useTimes();
  return (
    <Card
      title="Recent runs"
      note={`in ${zone}`}
      action={
        <Link href={`/runs?q=${encodeURIComponent(name)}`} className="text-accent hover:underline">
          View all runs
        </Link>
      }
    >
      {firings.length === 0 ? (
        <p className="px-4 pb-4 text-ink-3">No runs yet.</p>
      ) : (
        <ul className="@container">
          {firings.map((firing) => (
            <FiringItem key={firing.nominalAt} firing={firing} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FiringItem({ firing }: { firing: Firing }) {
  return (
    <li className="grid gap-x-6 gap-y-1 border-line border-t px-4 py-2.5 @[640px]:grid-cols-[minmax(130px,auto)_110px_minmax(0,1fr)] @[640px]:items-center">
      <span>
        <Instant at={firing.nominalAt} />
      </span>
      <StatusLabel look={FIRING_LOOKS[firing.status]} />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 text-ink-3">
        {firing.runId ? (
          <>
            {firing.runStatus && <StatusLabel look={RUN_LOOKS[firing.runStatus]} />}
            <Link href={`/runs/${firing.runId}`} className="rounded text-accent hover:underline">
              {" "}
              View run{" "}
            </Link>
          </>
        ) : (
          <span>{firing.reason}</span>
        )}
        {firing.cause !== "time" && <span>{CAUSE_WORDS[firing.cause]}</span>}
      </span>
    </li>
  );
}
