import Link from "next/link";
import { classNames } from "@/lib/class-names";
import { plural } from "@/lib/format";
import type { TimeScale } from "../lanes/time-scale";
import type { Layer, Mark } from "./layer";

/** Below the bars what a step is measured by and what it called, above them what it said. */
const LOOKS: Record<Layer, string> = {
  usual: "top-[15px] h-1 rounded-[1px] border border-ink-3 bg-gray-soft",
  good: "top-[20px] h-0.5 bg-accent",
  spans: "top-[23px] h-0.5 bg-ink-2",
  logs: "-top-[7px] size-[5px] -translate-x-1/2 rounded-full bg-ink-2",
};
const ERROR = "top-[23px] h-0.5 bg-red";

/** Lines nearer to each other, in shares of the width, are one mark. */
const NEAR = 0.008;

/** What lies beside the bars of a row. The arrow keys go through it, as through the bars. */
export function RowMarks({ marks, scale }: { marks: readonly Mark[]; scale: TimeScale }) {
  return joined(marks, scale).map((mark) => (
    <MarkOf key={`${mark.layer} ${mark.href} ${mark.from}`} {...{ mark, scale }} />
  ));
}

function MarkOf({ mark, scale }: { mark: Mark; scale: TimeScale }) {
  const { layer, from, to, text, href, isError } = mark;
  const left = scale.place(from);
  const shared = {
    tabIndex: -1,
    "data-mark": "",
    "data-drawn": "",
    "aria-label": text,
    className: classNames(
      "absolute",
      href !== null && "pointer-events-auto before:absolute before:-inset-1",
      isError ? ERROR : LOOKS[layer],
    ),
    style: {
      left: `min(${left * 100}%, calc(100% - 3px))`,
      ...(layer !== "logs" && { width: `max(3px, ${(scale.place(to) - left) * 100}%)` }),
    },
  };
  if (href === null) return <span role="img" {...shared} />;
  return <Link href={href} prefetch={false} scroll={false} {...shared} />;
}

const LEGEND: Record<Layer, string> = {
  usual: "usual time, median to 95th percentile",
  good: "in a good run",
  logs: "log line",
  spans: "span",
};

/** Of what is shown beside the bars. */
export const LayerLegend = ({ shown }: { shown: readonly Layer[] }) =>
  shown.map((layer) => (
    <li key={layer} className="flex items-center gap-1.5">
      <span aria-hidden data-drawn className="relative block h-3.5 w-5">
        <span
          className={classNames(
            "absolute w-full",
            LOOKS[layer],
            layer === "logs" ? "!top-1 !w-[5px] left-1/2" : "!top-1.5",
          )}
        />
      </span>
      {LEGEND[layer]}
    </li>
  ));

/** Those in sight; of log lines that would lie on each other, one mark that says how many. */
function joined(marks: readonly Mark[], scale: TimeScale): Mark[] {
  const shown: Mark[] = [];
  let last: { mark: Mark; count: number } | null = null;
  for (const mark of marks) {
    if (mark.to < scale.from || mark.from > scale.to) continue;
    if (mark.layer === "logs" && last && scale.place(mark.from) - scale.place(last.mark.from) < NEAR) {
      last.count++;
      last.mark.text = `${plural(last.count, "log line")}, first: ${last.mark.text.replace(/^\d+ log lines, first: /, "")}`;
      continue;
    }
    const copy = { ...mark };
    if (mark.layer === "logs") last = { mark: copy, count: 1 };
    shown.push(copy);
  }
  return shown;
}
