import { Instant } from "@/components/parts/time/instant";
import type { Flow } from "@/lib/api/contract/flow";
import { isBehind } from "./counted";

type Counted = Pick<Flow, "countedSince" | "countedUntil" | "heldBack" | "beforeIsWhole" | "from" | "updatedAt">;

/** How far the numbers reach: uncounted is not zero. */
export function CountedNote({ flow }: { flow: Counted }) {
  const { countedSince, countedUntil, heldBack, from } = flow;
  if (countedUntil === null || countedSince === null)
    return <p className="text-ink-3 text-small">No data yet: a worker counts runs as they start and end.</p>;
  return (
    <p className="text-ink-3 text-small">
      {isBehind(flow) ? (
        <span className="text-amber">
          Counted until <Instant at={countedUntil} />
          {heldBack
            ? ": an open transaction has written runs since then; counting continues when it ends."
            : ": a worker will count the rest."}
        </span>
      ) : (
        <>
          Counted until <Instant at={countedUntil} as="clock" />; the last point is incomplete.
        </>
      )}
      {Date.parse(countedSince) > Date.parse(from) && (
        <>
          {" "}
          Counted since <Instant at={countedSince} />. No data before that.
        </>
      )}
    </p>
  );
}
