import Link from "next/link";
import { boundLimits, limitWords } from "@/components/domain/workflows/limit-words";
import { Instant } from "@/components/parts/time/instant";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { formatCount, plural } from "@/lib/format";
import { WorkflowActs, type WorkflowWindow } from "./workflow-acts";

/** All versions of one workflow that workers have registered. */
export interface Versions {
  newest: WorkflowView;
  older: number[];
}

/** Counting stops there. */
const MOST_BACKLOG = 1_000;

/** By title; of each workflow the newest version first. */
export function versionsOf(workflows: readonly WorkflowView[]): Versions[] {
  const byName = new Map<string, WorkflowView[]>();
  for (const workflow of workflows) byName.set(workflow.name, [...(byName.get(workflow.name) ?? []), workflow]);
  return [...byName.values()]
    .map((all) => {
      const [newest, ...older] = all.sort((a, b) => b.version - a.version);
      return { newest: newest as WorkflowView, older: older.map(({ version }) => version) };
    })
    .sort((a, b) => a.newest.title.localeCompare(b.newest.title));
}

interface WorkflowItemProps {
  versions: Versions;
  onOpen: (window: WorkflowWindow) => void;
}

export function WorkflowItem({ versions: { newest, older }, onOpen }: WorkflowItemProps) {
  return (
    <li className="grid gap-x-6 gap-y-2 border-line border-t px-4 py-3 first:border-t-0 @[820px]:grid-cols-[minmax(180px,1.2fr)_minmax(150px,0.8fr)_minmax(0,1.4fr)_auto] @[820px]:items-center">
      <div className="min-w-0">
        <p className="truncate font-medium">
          <Link href={`/workflows/${encodeURIComponent(newest.name)}`} className="rounded hover:underline">
            {newest.title}
          </Link>
        </p>
        <p className="truncate text-ink-3">
          <span className="font-mono text-small">{newest.name}</span> v{newest.version}
          {older.length > 0 && `, before it v${older.slice(0, 3).join(", v")}`}
        </p>
        {newest.language && <p className="truncate text-ink-3">steps in {newest.language}, over HTTP</p>}
        {newest.fourEyes.length > 0 && (
          <p className="break-words text-ink-3">
            needs a second approver:{" "}
            <span className="text-ink-2">{newest.fourEyes.map((act) => act.replaceAll("_", " ")).join(", ")}</span>
          </p>
        )}
        {newest.on && (
          <p className="break-words text-ink-3">
            starts on the event <span className="font-mono text-ink-2 text-small">{newest.on}</span>
            {newest.onFields.length > 0 && `, if it fits by ${newest.onFields.join(", ")}`}
          </p>
        )}
      </div>
      <Load workflow={newest} />
      <Limits workflow={newest} />
      {newest.intake && <ClosedIntake intake={newest.intake} />}
      <div className="flex flex-wrap gap-2 @[820px]:w-[280px] @[820px]:justify-end @[1040px]:w-[324px]">
        <WorkflowActs workflow={newest} onOpen={onOpen} />
      </div>
    </li>
  );
}

function Load({ workflow: { name, running, backlog, workers } }: { workflow: WorkflowView }) {
  const queued = backlog >= MOST_BACKLOG ? `${formatCount(MOST_BACKLOG)} or more` : formatCount(backlog);
  return (
    <div>
      <p>
        <Link
          href={`/runs?workflow=${encodeURIComponent(name)}`}
          className={running + backlog > 0 ? "text-accent hover:underline" : "text-ink-2 hover:underline"}
        >
          {formatCount(running)} running, {queued} queued
        </Link>
      </p>
      <p className={workers === 0 ? "text-amber" : "text-ink-3"}>
        {workers === 0 ? "no live worker" : plural(workers, "worker")}
      </p>
    </div>
  );
}

export function ClosedIntake({ intake }: { intake: NonNullable<WorkflowView["intake"]> }) {
  return (
    <p className="min-w-0 break-words rounded-md bg-amber-soft px-2.5 py-1.5 text-small @[820px]:order-last @[820px]:col-span-4">
      <b className="font-medium">{intake.holds === "all" ? "All runs are paused" : "New runs are paused"}</b> by{" "}
      {intake.closedBy}, <Instant at={intake.closedAt} as="relative" />: <q>{intake.reason}</q>
    </p>
  );
}

function Limits({ workflow: { limits, liveLimits } }: { workflow: WorkflowView }) {
  if (!limits) return <p className="text-ink-3">No limits</p>;
  return (
    <div className="min-w-0">
      <ul className="flex flex-wrap gap-x-3">
        {limitWords(boundLimits(limits, liveLimits), limits.keyed).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      <p className="text-ink-3">
        {liveLimits ? (
          <>
            set by {liveLimits.setBy}, <Instant at={liveLimits.setAt} as="relative" />
          </>
        ) : (
          "as in code"
        )}
      </p>
    </div>
  );
}
