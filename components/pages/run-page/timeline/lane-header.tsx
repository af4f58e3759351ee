import { ChevronRight } from "lucide-react";
import { Instant } from "@/components/parts/time/instant";
import type { AuditRow } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { formatDuration, plural } from "@/lib/format";
import type { Lane } from "../lanes/lanes";
import type { Axis } from "../lanes/ticks";
import type { Fold, TimeScale } from "../lanes/time-scale";
import type { Mark } from "../layers/layer";
import { TimelineAxis } from "./axis";
import { TIMELINE_GRID } from "./columns";

interface TimelineLaneHeaderProps {
  lane: Lane;
  open: boolean;
  /** Nothing of it is in the window of time that is looked at. */
  outside: boolean;
  /** Null where there is only one: nothing is to be closed. */
  onToggle: (() => void) | null;
  scale: TimeScale;
  axis: Axis;
  /** What happened between its steps. */
  marks: readonly Mark[] | undefined;
  wordOf: (fold: Fold) => string;
  onToggleFold: (at: number) => void;
}

/** Where a lane begins: who opened it and why, and its own axis. Closed, all that in a line. */
export function TimelineLaneHeader(props: TimelineLaneHeaderProps) {
  const { lane, open, onToggle, scale, axis, marks, wordOf, onToggleFold } = props;
  if (!open) return <ClosedLane {...props} />;
  return (
    <div className={classNames("flex h-full flex-col justify-end", lane.kind !== "first" && "border-line border-t")}>
      {lane.kind !== "first" && (
        <div className="flex min-h-0 flex-1 items-center px-4 pt-1 text-ink-3 text-small md:px-6">
          <LaneCaption lane={lane} />
        </div>
      )}
      <div className={classNames(TIMELINE_GRID, "items-center pb-1 text-ink-3 text-micro")}>
        {onToggle ? <LaneName {...{ lane, open, onToggle }} /> : <span className="max-md:hidden">{nameOf(lane)}</span>}
        <TimelineAxis scale={scale} axis={axis} marks={marks} wordOf={wordOf} onToggleFold={onToggleFold} />
      </div>
    </div>
  );
}

function ClosedLane({ lane, outside, onToggle }: TimelineLaneHeaderProps) {
  return (
    <div className="relative flex h-full flex-wrap content-center items-center gap-x-3 border-line border-t px-4 text-ink-3 text-small hover:bg-sunken md:flex-nowrap md:px-6">
      {onToggle && <LaneName lane={lane} open={false} onToggle={onToggle} />}
      <span className="min-w-0 flex-1 truncate max-md:order-last max-md:basis-full max-md:pl-5">
        {lane.kind !== "first" && <LaneCaption lane={lane} />}
      </span>
      <span className="shrink-0 text-ink-3 text-micro max-md:ml-auto">
        {outside ? "out of view" : plural(lane.rows.length, "step")}
      </span>
      <span className="w-[72px] shrink-0 text-right tabular-nums">{formatDuration(lane.endMs - lane.startMs)}</span>
    </div>
  );
}

/** Opens and closes the lane; of a closed one, its whole line does. */
function LaneName({ lane, open, onToggle }: { lane: Lane; open: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className={classNames(
        "-ml-1 flex min-h-6 min-w-0 shrink-0 items-center gap-1 rounded text-left text-micro hover:text-ink",
        !open && "after:absolute after:inset-0",
      )}
    >
      <ChevronRight aria-hidden className={classNames("size-3.5 transition-transform", open && "rotate-90")} />
      <span className="truncate">{nameOf(lane)}</span>
    </button>
  );
}

const nameOf = ({ kind, generation, version }: Lane) =>
  kind === "undo" ? "compensation" : `generation ${generation}${version === null ? "" : ` · v${version}`}`;

const VERBS: Record<string, string> = { rerun: "rerun", settle: "resolved", compensate: "compensation requested" };

function LaneCaption({ lane: { kind, opened, generation } }: { lane: Lane }) {
  if (!opened)
    return <span>{kind === "undo" ? "compensated automatically by the workflow" : `generation ${generation}`}</span>;
  return (
    <span className="block min-w-0 truncate">
      {VERBS[opened.act] ?? opened.act} by <span className="text-ink-2">{opened.actor}</span>,{" "}
      <Instant at={opened.at} />, <q className="text-ink-2">{opened.reason}</q>
      {kind === "rerun" && (hasFreshKeys(opened) ? " · fresh keys" : " · keys kept")}
      {kind === "rerun" && chosenVersion(opened) !== null && ` · on version ${chosenVersion(opened)}`}
    </span>
  );
}

const hasFreshKeys = ({ after }: AuditRow) => (after as { freshKeys?: unknown } | null)?.freshKeys === true;

const chosenVersion = ({ after }: AuditRow) => (after as { version?: number } | null)?.version ?? null;
