import { Eye, Undo2, UserRound } from "lucide-react";
import Link from "next/link";
import type { MouseEvent } from "react";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import type { Problem } from "@/lib/api/contract/problems";
import { classNames } from "@/lib/class-names";
import { formatCount, plural } from "@/lib/format";
import { FailureBars } from "./failure-bars";
import { ProblemTitle } from "./problem-title";
import { CAME_BACK_WORDS, eventText, heldText, lookOf } from "./problem-words";

export const problemRowId = (id: string) => `problem-${id}`;

interface ProblemItemProps {
  problem: Problem;
  /** Whether it is in the inspector. */
  selected: boolean;
  onClick: (event: MouseEvent) => void;
}

/** One problem as a row of the list, which its link fills. */
export function ProblemItem({ problem, selected, onClick }: ProblemItemProps) {
  const { id, title, example, openRuns, failures, lastAt, sparkline, assignee, cameBack, watch } = problem;
  return (
    <li
      id={problemRowId(id)}
      aria-current={selected || undefined}
      className={classNames(
        "relative grid @[680px]:grid-cols-[minmax(0,1fr)_140px_150px] @[680px]:items-center gap-x-6 gap-y-2 border-line border-t px-4 py-3 transition-colors first:rounded-t-[10px] first:border-t-0 last:rounded-b-[10px]",
        selected ? "bg-accent-soft" : "hover:bg-sunken",
      )}
    >
      <div className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-2">
        <StatusLabel look={lookOf(problem)} shapeOnly className="self-center" />
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            href={`/problems/${id}`}
            prefetch={false}
            onClick={onClick}
            className="min-w-0 break-words font-medium outline-none after:absolute after:inset-0 focus-visible:after:rounded-[9px] focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
          >
            <ProblemTitle problem={problem} />
          </Link>
          {cameBack && <CameBack after={cameBack.after} />}
          {watch?.change && <Unseen change={watch.change} />}
        </p>
        <p className="col-start-2 line-clamp-2 break-words text-ink-2">{example.pattern}</p>
        <p className="col-start-2 text-ink-3 text-small">
          {title} · last <Instant at={lastAt} as="relative" />
          {assignee && (
            <span className="inline-flex items-center gap-1 pl-1">
              · <UserRound aria-hidden className="size-3" />
              {assignee}
            </span>
          )}
          {watch && (
            <span className="inline-flex items-center gap-1 pl-1">
              · <Eye aria-hidden className="size-3" />
              you watch it
            </span>
          )}
        </p>
      </div>
      <FailureBars series={sparkline} period="24 hours" className="hidden h-7 w-full @[680px]:block" />
      <p className="@[680px]:pl-0 pl-[22px] @[680px]:text-right">
        <span className={openRuns > 0 ? "font-medium" : "text-ink-3"}>{heldText(openRuns)}</span>
        <span className="block text-ink-3 text-small" title={formatCount(failures)}>
          {plural(failures, "failure")} in all
        </span>
      </p>
    </li>
  );
}

export const CameBack = ({ after }: { after: keyof typeof CAME_BACK_WORDS }) => (
  <span className="inline-flex items-center gap-1 rounded-full bg-amber-soft px-2 py-px font-medium text-amber text-small">
    <Undo2 aria-hidden className="size-3" />
    {CAME_BACK_WORDS[after]}
  </span>
);

/** The latest change since the reader, who watches the problem, looked at it. */
export const Unseen = ({ change }: { change: NonNullable<NonNullable<Problem["watch"]>["change"]> }) => (
  <span className="inline-flex items-center gap-1 rounded-full bg-accent-soft px-2 py-px font-medium text-accent text-small">
    <Eye aria-hidden className="size-3" />
    New: {eventText(change)}
  </span>
);
