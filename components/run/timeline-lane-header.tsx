import type { AuditRow } from "@/lib/api/contract/run";
import { classNames } from "@/lib/class-names";
import { formatDuration } from "@/lib/format";
import { Instant } from "../time/instant";
import type { TimeScale } from "./time-scale";
import { AXIS_HEIGHT, CAPTION_HEIGHT, TIMELINE_GRID, TRACK_CELL } from "./timeline-columns";
import type { Lane } from "./timeline-model";

/** Where a lane begins: who opened it and why, and its own axis. */
export function TimelineLaneHeader({ lane }: { lane: Lane }) {
  return (
    <div>
      {lane.kind !== "first" && (
        <div style={{ height: CAPTION_HEIGHT }} className="flex items-end gap-2 px-4 text-ink-3 text-small md:px-6">
          <LaneCaption lane={lane} />
          <span aria-hidden className="mb-2 min-w-4 flex-1 border-line-strong border-t border-dashed" />
        </div>
      )}
      <div style={{ height: AXIS_HEIGHT }} className={classNames(TIMELINE_GRID, "items-center text-ink-3 text-micro")}>
        <span className="max-md:hidden">{nameOf(lane)}</span>
        <Axis scale={lane.scale} />
      </div>
    </div>
  );
}

const nameOf = ({ kind, generation, version }: Lane) =>
  kind === "undo" ? "undo" : `generation ${generation}${version === null ? "" : ` · v${version}`}`;

export const laneHeaderHeight = (lane: Lane) => AXIS_HEIGHT + (lane.kind === "first" ? 0 : CAPTION_HEIGHT);

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

function Axis({ scale }: { scale: TimeScale }) {
  return (
    <div aria-hidden className={classNames("relative h-4", TRACK_CELL)}>
      {scale.ticks.map(({ at, text }) => (
        <span
          key={at}
          className="absolute whitespace-nowrap"
          style={{
            left: `${at * 100}%`,
            transform: at > 0.94 ? "translateX(-100%)" : at > 0.02 ? "translateX(-50%)" : undefined,
          }}
        >
          {text}
        </span>
      ))}
      {scale.folds.map(({ at, width, ms }) => (
        <span
          key={at}
          className="-translate-x-1/2 absolute rounded bg-gray-soft px-1 whitespace-nowrap"
          style={{ left: `${(at + width / 2) * 100}%` }}
        >
          {formatDuration(ms)}
        </span>
      ))}
    </div>
  );
}
