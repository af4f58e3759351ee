import Link from "next/link";
import type { ReactNode } from "react";
import type { RunListItem } from "@/lib/api/contract/run";
import { shortenMiddle } from "@/lib/format";
import { ProgressBar } from "../status/progress-bar";
import { lookOfRun } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { StepBar } from "../status/step-bar";
import { Elapsed, Remaining } from "../time/elapsed";
import { Instant } from "../time/instant";
import { MiddleText } from "../ui/middle-text";
import { businessKeyOf, nowAt, tookOf } from "./run-words";

export interface RunColumn {
  name: string;
  cell: (run: RunListItem, link: RowLink) => ReactNode;
  /** Of the header and of each cell: width, alignment, and the width of the list from which the column is shown. */
  className: string;
}

/** What opens the run: its address, and what a plain click does instead of going there. */
export interface RowLink {
  href: string;
  onClick: (event: React.MouseEvent) => void;
}

/** The one table of columns: header and rows are made from it. */
export const RUN_COLUMNS: RunColumn[] = [
  {
    name: "Status",
    className: "w-[156px] pl-2",
    cell: (run) => <StatusLabel look={lookOfRun(run)} />,
  },
  {
    name: "Workflow",
    className: "hidden w-[17%] @[680px]:table-cell",
    cell: (run) => <span title={run.title}>{run.workflow}</span>,
  },
  { name: "Key", className: "w-[15%] min-w-28", cell: (run, link) => <RunKey run={run} link={link} /> },
  {
    name: "Steps",
    className: "hidden w-[150px] overflow-visible @[860px]:table-cell",
    cell: (run) => <StepsOrProgress run={run} />,
  },
  { name: "Now at", className: "", cell: (run) => <NowAtText run={run} /> },
  {
    name: "Started",
    className: "w-[108px] pr-6 text-right text-ink-3 @[600px]:w-[92px] @[600px]:pr-2",
    cell: (run) => <Instant at={run.startedAt ?? run.createdAt} as="relative" />,
  },
  {
    name: "Took",
    className: "hidden w-[104px] pr-6 text-right @[600px]:table-cell",
    cell: (run) => <Took run={run} />,
  },
];

/** The link fills the whole row; what else can be pressed in the row lies above it. */
function RunKey({ run, link }: { run: RunListItem; link: RowLink }) {
  const key = businessKeyOf(run);
  return (
    <Link
      href={link.href}
      prefetch={false}
      onClick={link.onClick}
      data-ring="inside"
      className="block truncate font-mono text-small outline-none after:absolute after:inset-0 focus-visible:after:rounded-sm focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
    >
      {key ? (
        <MiddleText text={key} className="align-bottom" />
      ) : (
        <span className="text-ink-3">{shortenMiddle(run.id)}</span>
      )}
    </Link>
  );
}

/** A run that says how far it has come is not shown by the first of its many steps. */
export function StepsOrProgress({ run, most = run.stepBar.length }: { run: RunListItem; most?: number }) {
  if (run.progress) return <ProgressBar progress={run.progress} className="w-[118px]" />;
  return <StepBar steps={run.stepBar.slice(0, most)} count={run.stepCount} />;
}

export function NowAtText({ run }: { run: RunListItem }) {
  const { step, note, until } = nowAt(run);
  return (
    <>
      {step && <span className="font-mono text-small">{step} </span>}
      <span className="text-ink-3">
        {note}
        {until && (
          <>
            {note && ", "}
            <Remaining until={until} /> left
          </>
        )}
      </span>
    </>
  );
}

export function Took({ run }: { run: RunListItem }) {
  const took = tookOf(run);
  return took ? <Elapsed from={took.from} to={took.to} /> : <span className="text-ink-3">–</span>;
}
