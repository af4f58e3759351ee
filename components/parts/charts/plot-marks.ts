import type uPlot from "uplot";
import type { ChartMark } from "./chart-series";

/** Between two names; where there is less, the earlier mark has none. */
const NAME_GAP = 6;

/** Above the series: a dashed line each, with its name at the top where there is room. */
export function drawMarks(self: uPlot, marks: readonly ChartMark[] = [], token: (name: string) => string): void {
  const colour = token("--ink-2");
  const { ctx, bbox } = self;
  const px = devicePixelRatio;
  ctx.save();
  ctx.font = `${10 * px}px ${getComputedStyle(document.body).fontFamily}`;
  ctx.textBaseline = "top";
  ctx.lineWidth = px;
  let room = Number.POSITIVE_INFINITY;
  for (const { atMs, name } of marks.toReversed()) {
    const x = Math.round(self.valToPos(atMs / 1_000, "x", true)) + 0.5;
    ctx.strokeStyle = colour;
    ctx.setLineDash([3 * px, 3 * px]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const width = ctx.measureText(name).width;
    const end = bbox.left + bbox.width;
    const left = x + 3 * px + width <= end ? x + 3 * px : x - 3 * px - width;
    if (left < bbox.left || left + width > room) continue;
    ctx.fillStyle = token("--panel");
    ctx.fillRect(left - px, bbox.top, width + 2 * px, 12 * px);
    ctx.fillStyle = colour;
    ctx.fillText(name, left, bbox.top + px);
    room = Math.min(left, x) - NAME_GAP * px;
  }
  ctx.restore();
}
