import Link from "next/link";
import type { Run } from "@/lib/api/contract/run";
import { shortenMiddle } from "@/lib/format";

/** Links to the run that this one was started from, to those started from it, and to the one that holds its singleton key. */
export function Restarts({
  run: { startedFrom, startedAs, singleton },
}: {
  run: Pick<Run, "startedFrom" | "startedAs" | "singleton">;
}) {
  const heldBy = singleton?.heldBy ?? null;
  if (startedFrom === null && startedAs.length === 0 && heldBy === null) return null;
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-ink-3 text-small">
      {startedFrom !== null && (
        <span>
          Started again from <RunLink runId={startedFrom} />
        </span>
      )}
      {startedAs.length > 0 && (
        <span>
          Started again as{" "}
          {startedAs.map((runId, place) => (
            <span key={runId}>
              {place > 0 && ", "}
              <RunLink runId={runId} />
            </span>
          ))}
        </span>
      )}
      {heldBy !== null && (
        <span>
          Singleton key held by <RunLink runId={heldBy} />
        </span>
      )}
    </p>
  );
}

const RunLink = ({ runId }: { runId: string }) => (
  <Link href={`/runs/${runId}`} className="inline-flex min-h-6 items-center font-mono text-accent hover:underline">
    {shortenMiddle(runId)}
  </Link>
);
