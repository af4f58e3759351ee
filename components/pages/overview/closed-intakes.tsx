import Link from "next/link";
import { Instant } from "@/components/parts/time/instant";
import { Callout } from "@/components/ui/feedback/callout";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { formatCount } from "@/lib/format";

/** Workflows whose new runs operators have paused, so that it is clear why nothing starts. */
export function ClosedIntakes({ closed }: { closed: OverviewResponse["closedIntakes"] }) {
  return (
    <Callout
      tone="amber"
      title={
        closed.length === 1
          ? `New runs of ${closed[0]?.title} are paused`
          : `New runs of ${closed.length} workflows are paused`
      }
    >
      <ul className="grid gap-1 text-ink-2">
        {closed.map(({ workflow, title, holds, closedBy, reason, closedAt, waiting }) => (
          <li key={workflow} className="break-words">
            {closed.length > 1 && <b className="font-medium text-ink">{title}: </b>}
            {closedBy}, <Instant at={closedAt} as="relative" />: <q>{reason}</q>.{" "}
            {holds === "all" && "Runs under way are held too. "}
            <Link
              href={`/runs?status=pending&workflow=${encodeURIComponent(workflow)}`}
              className="text-accent underline"
            >
              {formatCount(waiting, COUNT_CAP)} {waiting === 1 ? "waits" : "wait"} to start
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-1.5">
        <Link href="/workflows" className="text-accent underline">
          Resume {closed.length === 1 ? "it" : "them"} on Workflows
        </Link>
      </p>
    </Callout>
  );
}
