import { type ChartData, pointsOf } from "./chart-series";

const DAY_MS = 86_400_000;
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const MOMENT = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
});

/** `14:02 – 14:03`, with the day where the chart has more than one; in the viewer's zone. */
export function periodText(data: ChartData, index: number): string {
  const fromMs = data.fromMs + index * data.pointMs;
  const format = pointsOf(data) * data.pointMs > DAY_MS ? MOMENT : CLOCK;
  return `${format.format(fromMs)} – ${CLOCK.format(fromMs + data.pointMs)}`;
}

/** A point as one hears it: `14:02 – 14:03: ended 12, failed 1, still filling`. */
export function pointText(data: ChartData, index: number, format: (value: number) => string): string {
  if (index < 0) return "nothing";
  const values = data.series.map(({ name, values }) => {
    const value = values[index];
    return `${name.toLowerCase()} ${value === null || value === undefined ? "nothing to tell" : format(value)}`;
  });
  const filling = index === pointsOf(data) - 1 ? ["still filling"] : [];
  return `${periodText(data, index)}: ${[...values, ...filling].join(", ")}`;
}
