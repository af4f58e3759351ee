import { formatDay, formatMinute, type TimeStyle } from "@/lib/format/times";
import { type ChartData, marksAt, pointsOf } from "./chart-series";

const DAY_MS = 86_400_000;

/** `14:02 – 14:03`, with the day where the chart has more than one; as the viewer writes times. */
export function periodText(data: ChartData, index: number, times: TimeStyle): string {
  const fromMs = data.fromMs + index * data.pointMs;
  const period = `${formatMinute(fromMs, times)} – ${formatMinute(fromMs + data.pointMs, times)}`;
  return pointsOf(data) * data.pointMs > DAY_MS ? `${formatDay(fromMs, times)} ${period}` : period;
}

/** A point for screen readers: `14:02 – 14:03: ended 12, failed 1, still filling`. */
export function pointText(data: ChartData, index: number, format: (value: number) => string, times: TimeStyle): string {
  if (index < 0) return "nothing";
  const values = data.series.map(({ name, values }) => {
    const value = values[index];
    return `${name.toLowerCase()} ${value === null || value === undefined ? "no data" : format(value)}`;
  });
  const filling = index === pointsOf(data) - 1 ? ["still filling"] : [];
  return `${periodText(data, index, times)}: ${[...values, ...marksAt(data, index), ...filling].join(", ")}`;
}
