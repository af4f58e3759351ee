import type { Flow } from "@/lib/api/contract/flow";
import { FLOW_WINDOWS } from "@/lib/engine/flow/rollup";
import { formatNumber, formatPercent } from "@/lib/format/numbers";
import { type CountedUntil, isBehind } from "./counted";

type Before = Pick<Flow, "window" | "beforeIsWhole"> & CountedUntil;

/** Two windows can be compared where both are counted, but for the seconds that counting takes. */
const isComparable = (flow: Before) => flow.beforeIsWhole && !isBehind(flow);

const beforeText = (window: Flow["window"]) => `the ${FLOW_WINDOWS[window].words} before`;

/** "+12% on the hour before"; null if the window before, or the one that is shown, was not counted completely. */
export function changeText(now: number | null, before: number | null, flow: Before): string | null {
  if (!isComparable(flow) || now === null) return null;
  const { window } = flow;
  if (before === null || before === 0)
    return now === 0 ? `as in ${beforeText(window)}` : `none in ${beforeText(window)}`;
  const share = Math.round((now / before - 1) * 100);
  if (share === 0) return `as in ${beforeText(window)}`;
  if (share > 900) return `${formatNumber(now / before, 0)} times ${beforeText(window)}`;
  return `${share > 0 ? "+" : "−"}${formatPercent(Math.abs(share) / 100)} on ${beforeText(window)}`;
}

/** For rates, in points: "+2.1 points on the hour before". */
export function pointsText(now: number | null, before: number | null, flow: Before): string | null {
  if (!isComparable(flow) || now === null || before === null) return null;
  const { window } = flow;
  const points = Math.round((now - before) * 1_000) / 10;
  if (points === 0) return `as in ${beforeText(window)}`;
  return `${points > 0 ? "+" : "−"}${formatNumber(Math.abs(points))} points on ${beforeText(window)}`;
}

/** `2.3%`; below a tenth of a percent it is not shown as zero. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.001) return `< ${formatPercent(0.001)}`;
  return formatPercent(share, share >= 0.1 ? 0 : 1);
}
