import "uplot/dist/uPlot.min.css";
import uPlot from "uplot";
import { formatDay, formatMinute, type TimeStyle } from "@/lib/format/times";
import { CHART_TONES, type ChartData, type ChartSeries, type ChartTone, DASHES, pointsOf } from "./chart-series";
import { drawMarks } from "./plot-marks";

/** The one file that uses uPlot. Loaded when a chart scrolls into view: no first page waits for it. */

export interface Plot {
  setData(data: ChartData): void;
  /** Moves the crosshair; null removes it. */
  point(index: number | null): void;
  /** The middle of a point, in pixels from the left of the chart. */
  leftOf(index: number): number;
  /** After a change of theme or time format. */
  redraw(): void;
  destroy(): void;
}

export interface PlotAsked {
  format: (value: number) => string;
  /** The axis maximum: no value exceeds it; undefined for no bound. */
  most?: number | undefined;
  height: number;
  /** As they are when it is drawn: the axis is round by their clock. */
  times: () => TimeStyle;
  onPoint: (index: number | null) => void;
}

/** Unless a label needs more. */
const AXIS_WIDTH = 46;
const AXIS_GAP = 6;
const DAY_MS = 86_400_000;

/** @param host empty, with a width */
export function draw(host: HTMLElement, data: ChartData, asked: PlotAsked): Plot {
  let shown = data;
  const token = (name: string) => getComputedStyle(host).getPropertyValue(name).trim();
  const tone = (of: ChartTone) => token(CHART_TONES[of]);
  const font = `11px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { font, stroke: () => token("--ink-3"), ticks: { show: false } };
  const plot = new uPlot(
    {
      width: host.clientWidth,
      height: asked.height,
      legend: { show: false },
      tzDate: (second) => uPlot.tzDate(new Date(second * 1_000), asked.times().zone),
      padding: [8, 16, 0, 0], // the last time label is centered under the right edge
      // The hovered point is described beside the chart, and the keys move it too.
      cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 6, width: 1.5 } },
      scales: {
        x: {
          time: true,
          range: () => [shown.fromMs / 1_000, (shown.fromMs + pointsOf(shown) * shown.pointMs) / 1_000],
        },
        y: { range: (_, __, max) => [0, yMost(max, asked.most)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          gap: 4,
          size: 24,
          space: 64,
          values: (_, splits) => splits.map((second) => timeText(second * 1_000, shown, asked.times())),
        },
        {
          ...axis,
          grid: { stroke: () => token("--line"), width: 1 },
          gap: AXIS_GAP,
          size: widthOfAxis,
          space: 36,
          values: (_, splits) => splits.map(asked.format),
        },
      ],
      series: [{}, ...data.series.map((series) => lookOf(series, tone))],
      hooks: {
        drawClear: [(self) => markFilling(self, shown, token)],
        draw: [(self) => drawMarks(self, shown.marks, token)],
        // It also fires for new data, which must not take the crosshair from the keys.
        setCursor: [(self) => host.matches(":hover") && asked.onPoint(self.cursor.idx ?? null)],
      },
    },
    alignedOf(data),
    host,
  );
  const watcher = new ResizeObserver(() => {
    if (host.clientWidth > 0) plot.setSize({ width: host.clientWidth, height: asked.height });
  });
  watcher.observe(host);
  const onLeave = () => asked.onPoint(null);
  host.addEventListener("mouseleave", onLeave);
  const xOf = (index: number) => plot.valToPos(middleOf(shown, index), "x");
  return {
    setData(next) {
      shown = next;
      plot.setData(alignedOf(next));
    },
    point: (index) => plot.setCursor({ left: index === null ? -10 : xOf(index), top: index === null ? -10 : 0 }, false),
    leftOf: (index) => plot.over.offsetLeft + xOf(index),
    redraw: () => plot.redraw(false, true),
    destroy() {
      watcher.disconnect();
      host.removeEventListener("mouseleave", onLeave);
      plot.destroy();
    },
  };
}

/** @param labels null before the scale is known */
function widthOfAxis(self: uPlot, labels: string[] | null): number {
  self.ctx.font = `${11 * devicePixelRatio}px ${getComputedStyle(document.body).fontFamily}`;
  const widest = Math.max(0, ...(labels ?? []).map((label) => self.ctx.measureText(label).width));
  return Math.max(AXIS_WIDTH, Math.ceil(widest / devicePixelRatio) + AXIS_GAP + 2);
}

const middleOf = ({ fromMs, pointMs }: ChartData, index: number) => (fromMs + (index + 0.5) * pointMs) / 1_000;

function alignedOf(data: ChartData): uPlot.AlignedData {
  const xs = Array.from({ length: pointsOf(data) }, (_, index) => middleOf(data, index));
  return [xs, ...data.series.map(({ values }) => [...values])] as uPlot.AlignedData;
}

/** Room above the highest value, so that its card does not cover a peak; a minimum when there are no data. */
const yMost = (max: number | null, most: number | undefined): number =>
  most === undefined ? (max ? max * 1.12 : 1) : Math.min(most, max ? max * 1.25 : most);

function lookOf({ tone, shape }: ChartSeries, colour: (tone: ChartTone) => string): uPlot.Series {
  const mixed = (share: number) => () => `color-mix(in srgb, ${colour(tone)} ${share}%, transparent)`;
  if (shape === "bars")
    return {
      fill: mixed(tone === "quiet" ? 45 : 100),
      width: 0,
      points: { show: false },
      ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.78, 22], radius: 0.12 }) }),
    };
  return {
    stroke: () => colour(tone),
    width: 1.5,
    dash: DASHES[shape],
    // A single value between gaps would be invisible.
    points: { show: (self, series) => isLonely(self, series), size: 4, fill: () => colour(tone) },
    spanGaps: false,
  };
}

function isLonely(self: uPlot, series: number): boolean {
  const values = self.data[series] ?? [];
  return values.some((value, at) => value != null && values[at - 1] == null && values[at + 1] == null);
}

/** The last point is still filling: its value is lower than it will be. */
function markFilling(self: uPlot, { fromMs, pointMs, ...data }: ChartData, token: (name: string) => string): void {
  const begins = fromMs + (pointsOf({ fromMs, pointMs, ...data }) - 1) * pointMs;
  const left = self.valToPos(begins / 1_000, "x", true);
  const { ctx, bbox } = self;
  ctx.save();
  ctx.fillStyle = token("--gray-soft");
  ctx.fillRect(left, bbox.top, bbox.left + bbox.width - left, bbox.height);
  ctx.restore();
}

/** Days where the chart has more than two of them. */
const timeText = (ms: number, data: ChartData, times: TimeStyle): string =>
  pointsOf(data) * data.pointMs > 2 * DAY_MS ? formatDay(ms, times) : formatMinute(ms, times);
