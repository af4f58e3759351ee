import Link from "next/link";
import { countText } from "@/components/domain/run/count-words";
import { Instant } from "@/components/parts/time/instant";
import { Card } from "@/components/ui/layout/card";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { formatCount, formatDuration } from "@/lib/format";
import { countOf } from "./status-tiles";

/** Counting stops there. */
const counted = (count: number, one: string) => `${formatCount(count, COUNT_CAP)} ${count === 1 ? one : `${one}s`}`;

/** The current state of workers and queues. */
export function NowCard({ overview }: { overview: OverviewResponse }) {
  const { workers, oldestPendingMs, nextDueAt, lostClaimsLastHour, openCompensations, planApprovals } = overview;
  return (
    <Card title="Now" className="self-start pb-4">
      <Facts className="gap-y-2.5 px-4 pt-1">
        <Fact name="Workers">
          <Link href="/workers" className="rounded hover:underline">
            {workers.live === 0 ? <span className="font-medium text-red">none live</span> : `${workers.live} live`}
          </Link>
          {workers.lost > 0 && <span className="text-amber"> · {workers.lost} lost</span>}
        </Fact>
        <Fact name="Running">
          {formatCount(workers.running)}{" "}
          <span className="text-ink-3">of {formatCount(workers.concurrency)} at once</span>
        </Fact>
        <Fact name="Pending">
          {countText(countOf(overview, "pending"))}
          {oldestPendingMs !== null && <span className="text-ink-3"> · oldest {formatDuration(oldestPendingMs)}</span>}
        </Fact>
        <Fact name="Next timer">
          {nextDueAt ? <Instant at={nextDueAt} as="relative" /> : <span className="text-ink-3">none</span>}
        </Fact>
        <Fact name="To compensate">
          <Link href="/compensations" className="rounded hover:underline">
            {openCompensations === 0 ? (
              <span className="text-ink-3">nothing</span>
            ) : (
              counted(openCompensations, "compensation")
            )}
          </Link>
        </Fact>
        {planApprovals > 0 && (
          <Fact name="To approve">
            <Link href="/approvals" className="rounded font-medium text-red hover:underline">
              {counted(planApprovals, "plan")} for a second approver
            </Link>
          </Fact>
        )}
        <Fact name="Recovered">
          {lostClaimsLastHour === 0 ? (
            <span className="text-ink-3">no run lost its worker in the last hour</span>
          ) : (
            `${counted(lostClaimsLastHour, "run")} after a lost worker, in the last hour`
          )}
        </Fact>
      </Facts>
    </Card>
  );
}
