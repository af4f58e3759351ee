import type uPlot from "uplot";
import type { ChartMark } from "./chart-series";

/** Between a line and a name, in pixels. */
const GAP = 3;

/**
 * Above the series: a dashed line each, with its name at the top, beside it and beside no other: where there is no room
 * for that, the line has no name.
 */
export function drawMarks(self: uPlot, marks: readonly ChartMark[] = [], token: (name: string) => string): void {
  if (marks.length === 0) return;
  const { ctx, bbox } = self;
  const px = devicePixelRatio;
  const xs = marks.map(({ atMs }) => Math.round(self.valToPos(atMs / 1_000, "x", true)) + 0.5);
  ctx.save();
  ctx.font = `${10 * px}px ${getComputedStyle(document.body).fontFamily}`;
  ctx.textBaseline = "top";
  ctx.lineWidth = px;
  ctx.strokeStyle = token("--ink-2");
  ctx.setLineDash([3 * px, 3 * px]);
  for (const x of xs) {
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  let end = bbox.left + bbox.width;
  for (let place = marks.length - 1; place >= 0; place--) {
    const x = xs[place] as number;
    const width = ctx.measureText((marks[place] as ChartMark).name).width;
    const left = placeOf({ x, width, from: xs[place - 1] ?? bbox.left, end, gap: GAP * px });
    end = Math.min(left ?? x, x);
    if (left === null) continue;
    ctx.fillStyle = token("--panel");
    ctx.fillRect(left - px, bbox.top, width + 2 * px, 12 * px);
    ctx.fillStyle = token("--ink-2");
    ctx.fillText((marks[place] as ChartMark).name, left, bbox.top + px);
  }
  ctx.restore();
}

interface Room {
  x: number;
  width: number;
  /** The line before, and the next line or its name. */
  from: number;
  end: number;
  gap: number;
}

/** Where a name begins: right of its line, else left of it; null: nowhere. */
export function placeOf({ x, width, from, end, gap }: Room): number | null {
  if (x + gap + width <= end - gap) return x + gap;
  const left = x - gap - width;
  return left >= from + gap ? left : null;
}
