import type { ProblemSeries } from "@/lib/api/contract/problems";
import { classNames } from "@/lib/class-names";
import { formatCount, plural } from "@/lib/format";

interface FailureBarsProps {
  series: ProblemSeries;
  /** "24 hours": completes "… failures in the last …". */
  period: string;
  className?: string;
}

/** Failures by minute or hour; each bar says its time and its number. */
export function FailureBars({ series: { from, minutes, counts }, period, className }: FailureBarsProps) {
  const most = Math.max(1, ...counts);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const first = Date.parse(from);
  const width = 100 / counts.length;
  return (
    <svg
      role="img"
      aria-label={`${plural(all, "failure")} in the last ${period}, at most ${formatCount(Math.max(0, ...counts))} in ${minutes === 1 ? "a minute" : "an hour"}`}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className={classNames("block", className)}
    >
      <rect x={0} y={23.5} width={100} height={0.5} className="fill-line-strong" />
      {counts.map((count, index) => {
        const begins = first + index * minutes * 60_000;
        const height = count === 0 ? 0 : Math.max(1.5, (count / most) * 23);
        return (
          <rect
            key={begins}
            x={index * width + width * 0.12}
            y={23.5 - height}
            width={width * 0.76}
            height={height}
            className="fill-red"
          >
            <title>{`${atText(begins)}: ${plural(count, "failure")}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

const CLOCK = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** In UTC: the same on the server as in the browser. */
const atText = (ms: number) => `${CLOCK.format(ms)} UTC`;
