import type { Limits, TimeWindow } from "@/lib/engine/queues/queue";
import { formatCount, formatDuration, plural } from "@/lib/format";

const UNITS: [ms: number, name: string][] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1_000, "second"],
];

/** A period as people say it: "a minute", "10 seconds", or exactly where it is neither. */
export function ratePeriod(ms: number): string {
  const unit = UNITS.find(([length]) => ms % length === 0);
  if (!unit) return ms < 1_000 ? `${ms} ms` : formatDuration(ms);
  const [length, name] = unit;
  return ms === length ? `${name === "hour" ? "an" : "a"} ${name}` : plural(ms / length, name);
}

export const windowWords = ({ from, to, timeZone }: TimeWindow): string =>
  from === "00:00" && to === "24:00" ? "at any time" : `from ${from} to ${to}, ${timeZone}`;

/** Limits as they bind, a few words each. */
export function limitWords({ concurrency, rate, total, totalRate, window }: Limits, keyed: boolean): string[] {
  const perKey = keyed ? " per key" : "";
  return [
    concurrency !== null && `${formatCount(concurrency)} at once${perKey}`,
    total !== null && `${formatCount(total)} at once in all`,
    rate && `${formatCount(rate.limit)} in ${ratePeriod(rate.perMs)}${perKey}`,
    totalRate && `${formatCount(totalRate.limit)} in ${ratePeriod(totalRate.perMs)} in all`,
    window && windowWords(window),
  ].filter((words) => typeof words === "string");
}

/** The limits of the code with an operator's over them. */
export const boundLimits = (declared: Limits, live: Limits | null): Limits => ({
  concurrency: live?.concurrency ?? declared.concurrency,
  rate: live?.rate ?? declared.rate,
  total: live?.total ?? declared.total,
  totalRate: live?.totalRate ?? declared.totalRate,
  window: live?.window ?? declared.window,
});
