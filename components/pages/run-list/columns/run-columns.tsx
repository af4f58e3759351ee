import { lookOfRun } from "@/components/domain/run/run-looks";
import { attemptOf, nowAt, tookOf } from "@/components/domain/run/run-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { MiddleText } from "@/components/ui/text/middle-text";
import type { RunListItem } from "@/lib/api/contract/run";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { formatDuration, shortenMiddle } from "@/lib/format";
import { pathColumn } from "./path-column";
import { NowAtText, RunKey, StepsOrProgress, Tags, Took } from "./run-cells";
import type { RunColumn } from "./run-column";

const quiet = (text: string | null) => (text === null || text === "" ? <span className="text-ink-3">–</span> : text);

const time = (id: string, name: string, of: (run: RunListItem) => string | null): RunColumn => ({
  id,
  name,
  size: 104,
  right: true,
  cell: (run) => {
    const at = of(run);
    return <span className="text-ink-3">{at === null ? "–" : <Instant at={at} as="relative" />}</span>;
  },
  text: (run) => of(run) ?? "",
});

const text = (id: string, name: string, size: number, of: (run: RunListItem) => string | null): RunColumn => ({
  id,
  name,
  size,
  cell: (run) => {
    const text = of(run);
    return <span title={text ?? undefined}>{quiet(text)}</span>;
  },
  text: (run) => of(run) ?? "",
});

const number = (id: string, name: string, size: number, of: (run: RunListItem) => number): RunColumn => ({
  ...text(id, name, size, (run) => String(of(run))),
  right: true,
});

const errorOf = ({ error }: RunListItem) =>
  error && (error.message === "" ? (error.code ?? error.name) : `${error.code ?? error.name}: ${error.message}`);

/** Runs start in the order in which they were created, but for those that were to start later. */
const BY_CREATION = { descending: "newest", ascending: "oldest" } as const;

/** Ticks that the column of steps has room for; two less with the number of the rest behind them. */
const FITTING = 8;

/** Every column that is not a path, in the menu's order. Their data comes with the list: none makes a request. */
export const RUN_COLUMNS: readonly RunColumn[] = [
  {
    id: "status",
    name: "Status",
    size: 156,
    cell: (run) => <StatusLabel look={lookOfRun(run)} />,
    text: (run) => lookOfRun(run).word,
  },
  {
    id: "workflow",
    name: "Workflow",
    size: 146,
    byWidth: "hidden @[780px]:table-cell",
    cell: (run) => <span title={run.title}>{run.workflow}</span>,
    text: (run) => run.workflow,
  },
  {
    id: "key",
    name: "Key",
    size: 146,
    cell: (run, link) => <RunKey run={run} link={link} />,
    text: (run) => titleOfRun(run) ?? run.id,
  },
  {
    id: "steps",
    name: "Steps",
    size: 150,
    byWidth: "hidden @[1080px]:table-cell",
    cell: (run) => <StepsOrProgress run={run} most={run.stepCount > FITTING ? FITTING - 2 : FITTING} />,
    text: (run) => (run.progress ? `${run.progress.done} of ${run.progress.total}` : String(run.stepCount)),
  },
  {
    id: "now",
    name: "Current step",
    size: 180,
    grows: true,
    cell: (run) => <NowAtText run={run} />,
    text: (run) => [nowAt(run).step, nowAt(run).note].filter(Boolean).join(" "),
  },
  {
    ...time("started", "Started", (run) => run.startedAt ?? run.createdAt),
    size: 116,
    byWidth: "@max-[900px]:[&:is(td)]:pr-6 @max-[900px]:[&:is(th)]:pr-4",
    sorts: BY_CREATION,
  },
  {
    id: "took",
    name: "Duration",
    size: 104,
    right: true,
    byWidth: "hidden @[900px]:table-cell",
    cell: (run) => <Took run={run} />,
    text: (run) => {
      const took = tookOf(run);
      return took?.to ? formatDuration(Date.parse(took.to) - Date.parse(took.from)) : "";
    },
  },
  { ...time("created", "Created", (run) => run.createdAt), sorts: BY_CREATION },
  { ...time("ended", "Ended", (run) => run.finishedAt), sorts: { descending: "ended" } },
  {
    id: "due",
    name: "Due",
    size: 104,
    right: true,
    cell: (run) => {
      const at = run.waitingFor?.until ?? run.runAt;
      return <span className="text-ink-3">{at ? <Instant at={at} as="relative" /> : "–"}</span>;
    },
    text: (run) => run.waitingFor?.until ?? run.runAt ?? "",
  },
  {
    id: "id",
    name: "Run id",
    size: 130,
    cell: (run) => (
      <span title={run.id} className="font-mono text-small">
        {shortenMiddle(run.id)}
      </span>
    ),
    text: (run) => run.id,
  },
  text("idempotency", "Idempotency key", 180, (run) => run.idempotencyKey),
  {
    id: "tags",
    name: "Tags",
    size: 220,
    cell: (run) => <Tags tags={run.tags} />,
    text: (run) =>
      Object.entries(run.tags)
        .map(([name, value]) => `${name}=${value}`)
        .join(" "),
  },
  {
    ...text("error", "Last error", 260, errorOf),
    grows: true,
  },
  { ...text("sentence", "Summary", 320, (run) => run.summary), grows: true },
  number("version", "Version", 88, (run) => run.codeVersion),
  text("attempt", "Attempt", 100, attemptOf),
  number("generation", "Generation", 112, (run) => run.generation),
  number("priority", "Priority", 88, (run) => run.priority),
  text("queue", "Queue", 120, (run) => (run.queueKey === "" ? "default" : run.queueKey)),
  text("worker", "Worker", 140, (run) => run.workerName ?? run.workerId),
  {
    id: "parent",
    name: "Parent",
    size: 180,
    cell: (run) =>
      run.parentRunId === null ? (
        quiet(null)
      ) : (
        <MiddleText text={`${shortenMiddle(run.parentRunId)} · ${run.parentStep ?? ""}`} className="text-small" />
      ),
    text: (run) => run.parentRunId ?? "",
  },
];

/** The default columns. */
export const USUAL_COLUMNS: readonly string[] = ["status", "workflow", "key", "steps", "now", "started", "took"];

const BY_ID = new Map(RUN_COLUMNS.map((column) => [column.id, column]));

export const isRunColumn = (id: string) => BY_ID.has(id);

/** The column of an id from the address. */
export const columnOf = (id: string): RunColumn => BY_ID.get(id) ?? pathColumn(id);
