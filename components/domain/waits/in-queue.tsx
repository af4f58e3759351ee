import type { ReactNode } from "react";
import { ratePeriod, windowWords } from "@/components/domain/workflows/limit-words";
import { Remaining } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import type { Run } from "@/lib/api/contract/run";
import type { Hold } from "@/lib/engine/queues/queue";
import { formatCount, plural } from "@/lib/format";

type Queue = NonNullable<Run["queue"]>;

/** Counting stops there. */
const MOST_AHEAD = 1_000;

/** Why a run is queued: which limit holds it back, its place, and when the queue opens. */
export function InQueue({ queue }: { queue: Queue }) {
  return (
    <>
      {queue.heldBy ? HELD[queue.heldBy](queue) : "No limit applies: the next worker with room claims it."}{" "}
      <Place ahead={queue.ahead} queue={queue} />{" "}
      {queue.opensAt && (
        <>
          The queue opens at <Instant at={queue.opensAt} /> (<Remaining until={queue.opensAt} />
          ).{" "}
        </>
      )}
    </>
  );
}

const atOnce = (limit: number | null, holding: number) => (
  <>
    lets {plural(limit ?? 0, "run")} run at once; <b className="font-medium text-ink">{formatCount(holding)}</b>{" "}
    {holding === 1 ? "does" : "do"} now.
  </>
);

const beginIn = (rate: Queue["rate"]) =>
  rate && (
    <>
      lets {plural(rate.limit, "run")} start in {ratePeriod(rate.perMs)}, and as many have.
    </>
  );

/** What to say of the limit that holds a run. */
const HELD = {
  window: ({ window }) => <>The workflow runs {window && windowWords(window)}; closed now.</>,
  total: ({ total, totalHolding }) => <>The workflow {atOnce(total, totalHolding)}</>,
  concurrency: (queue) => (
    <>
      <Name of={queue} /> {atOnce(queue.concurrency, queue.holding)}
    </>
  ),
  totalRate: ({ totalRate }) => <>The workflow {beginIn(totalRate)}</>,
  rate: (queue) => (
    <>
      <Name of={queue} /> {beginIn(queue.rate)}
    </>
  ),
} satisfies Record<Hold, (queue: Queue) => ReactNode>;

const Name = ({ of: { key } }: { of: Queue }) =>
  key === "" ? (
    "The workflow"
  ) : (
    <>
      The queue <span className="font-mono text-ink text-small">{key}</span>
    </>
  );

function Place({ ahead, queue }: { ahead: number; queue: Queue }) {
  if (ahead === 0) return <>Next{queue.key !== "" && " in the queue"}.</>;
  return (
    <>
      {ahead >= MOST_AHEAD ? `${formatCount(MOST_AHEAD)} runs or more` : plural(ahead, "run")}{" "}
      {ahead === 1 ? "goes" : "go"} before this run.
    </>
  );
}
