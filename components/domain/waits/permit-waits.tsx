import { Fragment } from "react";
import { ratePeriod } from "@/components/domain/workflows/limit-words";
import type { Run } from "@/lib/api/contract/run";
import { formatCount, plural } from "@/lib/format";

type PermitWait = Run["permits"][number];

/** Counting stops there. */
const MOST_AHEAD = 1_000;

/** The limits that a step waits for permits of: what each lets through, and the step's place. */
export function PermitWaits({ permits }: { permits: readonly PermitWait[] }) {
  return permits.map((wait) => (
    <Fragment key={wait.limit}>
      The limit <span className="break-words font-mono text-ink text-small">{wait.limit}</span> lets {boundsOf(wait)}.{" "}
      {wait.ahead !== null && placeWords(wait.ahead)}
    </Fragment>
  ));
}

/** The bound that is reached comes first; of a keyed limit, which of them is not known. */
function boundsOf({ concurrency, rate, keyed, held, started }: PermitWait): string {
  const ofKey = keyed ? " of a key" : "";
  const atOnce =
    concurrency !== null &&
    `${plural(concurrency, "step")}${ofKey} run at once${held === null ? "" : `, and ${formatCount(held)} ${held === 1 ? "does" : "do"} now`}`;
  const full = rate && started !== null && started >= rate.limit ? ", and as many have" : "";
  const inPeriod = rate && `${plural(rate.limit, "step")}${ofKey} start in ${ratePeriod(rate.perMs)}${full}`;
  return [full !== "" && inPeriod, atOnce, full === "" && inPeriod]
    .filter((words) => typeof words === "string")
    .join("; ");
}

function placeWords(ahead: number): string {
  if (ahead === 0) return "Next. ";
  const steps = ahead >= MOST_AHEAD ? `${formatCount(MOST_AHEAD)} steps or more` : plural(ahead, "step");
  return `${steps} ${ahead === 1 ? "goes" : "go"} before it. `;
}
