import type { Run } from "@/lib/api/contract/run";
import { formatCount, plural } from "@/lib/format";
import { Remaining } from "../time/elapsed";
import { Instant } from "../time/instant";
import { Callout } from "../ui/callout";
import { ratePeriod } from "../workflows/limit-words";

type Queue = NonNullable<Run["queue"]>;

/** Counting stops there. */
const MOST_AHEAD = 1_000;

/** Why a run waits for its turn: what holds it back, its place, and what moves it. */
export function InQueue({ queue, waiting }: { queue: Queue; waiting: boolean }) {
  return (
    <Callout tone="gray" title={waiting ? "It waits for its turn to go on" : "It waits for its turn"}>
      <p className="break-words text-ink-2">
        <Holds queue={queue} /> <Place ahead={queue.ahead} />
        {queue.opensAt && (
          <>
            {" "}
            The queue opens at <Instant at={queue.opensAt} /> (<Remaining until={queue.opensAt} />
            ).
          </>
        )}
      </p>
    </Callout>
  );
}

function Holds({ queue: { key, holding, concurrency, rate } }: { queue: Queue }) {
  const name =
    key === "" ? (
      "Its workflow"
    ) : (
      <>
        The queue <span className="font-mono text-ink text-small">{key}</span>
      </>
    );
  return (
    <>
      {name} lets {concurrency === null ? "its runs" : plural(concurrency, "run")} go on
      {concurrency === null ? "" : " at once"}
      {rate && `, and ${formatCount(rate.limit)} begin in ${ratePeriod(rate.perMs)}`}
      {concurrency !== null && (
        <>
          ; <b className="font-medium text-ink">{formatCount(holding)}</b> {holding === 1 ? "does" : "do"} now
        </>
      )}
      .
    </>
  );
}

function Place({ ahead }: { ahead: number }) {
  if (ahead === 0) return <>It is next.</>;
  return (
    <>
      {ahead >= MOST_AHEAD ? `${formatCount(MOST_AHEAD)} runs or more` : plural(ahead, "run")}{" "}
      {ahead === 1 ? "goes" : "go"} before it.
    </>
  );
}
