import { formatDuration, plural } from "@/lib/format";

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
