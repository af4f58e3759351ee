import { ChevronRight } from "lucide-react";
import type { AuditRow } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { plural } from "@/lib/format";
import { Instant } from "../time/instant";
import { TimelineAxis } from "./axis";
import { TIMELINE_GRID } from "./columns";
import type { Lane } from "./lanes";
import type { Axis } from "./ticks";
import type { Fold, TimeScale } from "./time-scale";

interface TimelineLaneHeaderProps {
  lane: Lane;
  open: boolean;
  /** Null where there is only one: nothing is to be closed. */
  onToggle: (() => void) | null;
  scale: TimeScale;
  axis: Axis;
  wordOf: (fold: Fold) => string;
  onToggleFold: (at: number) => void;
}

/** Where a lane begins: who opened it and why, and its own axis. */
export function TimelineLaneHeader({
  lane,
  open,
  onToggle,
  scale,
  axis,
  wordOf,
  onToggleFold,
}: TimelineLaneHeaderProps) {
  return (
    <div className={classNames("flex h-full flex-col justify-end", lane.kind !== "first" && "border-line border-t")}>
      {lane.kind !== "first" && (
        <div className="flex min-h-0 flex-1 items-center px-4 pt-1 text-ink-3 text-small md:px-6">
          <LaneCaption lane={lane} />
        </div>
      )}
      <div className={classNames(TIMELINE_GRID, "items-center pb-1 text-ink-3 text-micro")}>
        {onToggle ? (
          <button
            type="button"
            aria-expanded={open}
            onClick={onToggle}
            className="-ml-1 flex min-h-6 min-w-0 items-center gap-1 rounded text-left hover:text-ink"
          >
            <ChevronRight aria-hidden className={classNames("size-3.5 transition-transform", open && "rotate-90")} />
            <span className="truncate">
              {nameOf(lane)}
              {!open && `, ${plural(lane.rows.length, "step")}`}
            </span>
          </button>
        ) : (
          <span className="max-md:hidden">{nameOf(lane)}</span>
        )}
        {open && <TimelineAxis scale={scale} axis={axis} wordOf={wordOf} onToggleFold={onToggleFold} />}
      </div>
    </div>
  );
}

const nameOf = ({ kind, generation, version }: Lane) =>
  kind === "undo" ? "undo" : `generation ${generation}${version === null ? "" : ` · v${version}`}`;

const VERBS: Record<string, string> = { rerun: "rerun", settle: "settled", compensate: "undo asked for" };

function LaneCaption({ lane: { kind, opened, generation } }: { lane: Lane }) {
  if (!opened)
    return <span>{kind === "undo" ? "undone by the worker, as the workflow says" : `generation ${generation}`}</span>;
  return (
    <span className="min-w-0 truncate">
      {VERBS[opened.act] ?? opened.act} by <span className="text-ink-2">{opened.actor}</span>,{" "}
      <Instant at={opened.at} />, <q className="text-ink-2">{opened.reason}</q>
      {kind === "rerun" && (hasFreshKeys(opened) ? " · fresh keys" : " · keys kept")}
      {kind === "rerun" && chosenVersion(opened) !== null && ` · on version ${chosenVersion(opened)}`}
    </span>
  );
}

const hasFreshKeys = ({ after }: AuditRow) => (after as { freshKeys?: unknown } | null)?.freshKeys === true;

const chosenVersion = ({ after }: AuditRow) => (after as { version?: number } | null)?.version ?? null;
