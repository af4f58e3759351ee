import { HandrailError, unknownRun } from "../../engine/errors";
import {
  ATTENTIONS,
  type Attention,
  RUN_STATUSES,
  type RunSort,
  type RunStatus,
  SORTED_BY_END,
} from "../../engine/runs/run";
import { timeOfId } from "../../engine/runs/run-ids";
import type { Db } from "../../store/db";
import { listSwitchedOff } from "../../store/notices/destinations";
import { listOpenApprovals, type OpenApprovalRow } from "../../store/reads/approvals";
import { findRuns, type RunKey } from "../../store/reads/find-runs";
import { listRunsNeedingAPerson, selectOverview } from "../../store/reads/overview";
import { LOOKING_MS } from "../../store/reads/pace";
import { countRuns, type RunCountRow } from "../../store/reads/run-counts";
import { selectRunDetail } from "../../store/reads/run-detail";
import type { RunFilter } from "../../store/reads/run-filter";
import { listRuns } from "../../store/reads/run-list";
import { listStranded } from "../../store/reads/stranded";
import { listWorkers, type WorkerRow } from "../../store/reads/workers";
import { listOverdue } from "../../store/workers/overdue";
import { readOpenAlerts } from "../alerts/alert-view";
import { decodeCursor, encodeCursor, isInstant } from "../cursor";
import { inTurns } from "../in-turns";
import { readHoldingProblems } from "../problem-view";
import { asInstant, asInstantOrNull, asJson } from "../values";
import { intakeOf } from "../workflows/workflow-view";
import { pickValues } from "./picked-values";
import { atInstants } from "./run-times";
import { type RunView, runListItemView, runView } from "./run-view";

/** A page by keyset: new runs neither shift nor repeat anything. */
export interface Page {
  cursor?: string | undefined;
  limit?: number | undefined;
}

const DEFAULT_PAGE_SIZE = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (value: unknown) => typeof value === "string" && UUID.test(value);

const now = () => new Date().toISOString();

/**
 * @param paths of values of each run to pick from its input and output, in the form of
 * `lib/engine/values/value-path.ts`
 */
export async function readRuns(
  db: Db,
  {
    cursor,
    limit = DEFAULT_PAGE_SIZE,
    sort = "newest",
    paths = [],
    budgetMs = LOOKING_MS,
    ...filter
  }: RunFilter & Page & RunsQuery,
) {
  if (sort === "ended") checkSortedByEnd(filter);
  const after = cursor === undefined ? null : runKeyOf(cursor, sort);
  const { ids, next, stopped } = await findRuns(db, atInstants(filter), { after, limit, sort, budgetMs });
  const rows = await listRuns(db, ids);
  const picked = paths.length > 0 ? await pickValues(db, rows, paths) : null;
  const runs = rows.map((row) => (picked ? { ...runListItemView(row), picked: picked(row) } : runListItemView(row)));
  return {
    runs,
    nextCursor: next && encodeCursor([sort, ...next]),
    lookedBackTo: stopped && next ? new Date(timeOfId(next[0])).toISOString() : null,
    updatedAt: now(),
  };
}

interface RunsQuery {
  sort?: RunSort | undefined;
  paths?: string[] | undefined;
  /** Milliseconds to search for matching runs; see `findRuns`. */
  budgetMs?: number;
}

type Cursor = [sort: RunSort, ...key: RunKey];

function runKeyOf(cursor: string, sort: RunSort): RunKey {
  const fits = ([of, id, endedAt]: unknown[]) =>
    of === sort && isUuid(id) && (sort === "ended" ? isInstant(endedAt) : endedAt === null);
  const [, ...key] = decodeCursor<Cursor>(cursor, fits);
  return key;
}

function checkSortedByEnd({ status = [] }: RunFilter): void {
  if (status.length > 0 && status.every((one) => (SORTED_BY_END as readonly RunStatus[]).includes(one))) return;
  throw new HandrailError(
    "invalid_request",
    `Only runs that are ${SORTED_BY_END.join(", ")} are kept in the order of their ends. Filter by these statuses, or sort otherwise.`,
  );
}

export async function readRunCounts(db: Db, filter: RunFilter, cap: number) {
  return { ...countsOf(await countRuns(db, atInstants(filter), cap), cap), updatedAt: now() };
}

function countsOf(rows: readonly RunCountRow[], cap: number) {
  const counted = <Value extends string>(facet: RunCountRow["facet"], values: readonly Value[]) =>
    Object.fromEntries(
      values.map((value) => {
        const row = rows.find((row) => row.facet === facet && row.value === value);
        return [value, Math.min(row?.count ?? 0, cap)];
      }),
    ) as Record<Value, number>;
  const partial = (facet: RunCountRow["facet"]) =>
    rows.filter((row) => row.facet === facet && row.partial && row.count <= cap).map(({ value }) => value);
  return {
    byStatus: counted<RunStatus>("status", RUN_STATUSES),
    byAttention: counted<Attention>("attention", ATTENTIONS),
    capped: rows.some(({ count }) => count > cap),
    partial: { byStatus: partial("status") as RunStatus[], byAttention: partial("attention") as Attention[] },
  };
}

/** @param steps at most this many, up to 5,000. @throws HandrailError `unknown_run` */
export async function readRun(db: Db, runId: string, { steps }: { steps?: number | undefined } = {}): Promise<RunView> {
  const row = await selectRunDetail(db, runId, steps);
  if (!row) throw unknownRun(runId);
  return inTurns(runView(await inTurns(row)));
}

export async function readOverview(
  db: Db,
  { cap, demo, reader }: { cap: number; demo: boolean; reader?: string | null },
) {
  // Three at a time, for a connection that is new to a statement has to plan it first, and the console has ten for all its callers. The
  // counts take as long as the rest.
  const [counts, problems, { row, worst, stranded, overdue, switchedOff, alerts }] = await Promise.all([
    countRuns(db, {}, cap),
    readHoldingProblems(db, cap, reader),
    readOthers(db, cap),
  ]);
  return {
    stranded,
    overdue: overdue.map(({ since, ...runs }) => ({ ...runs, since: asInstant(since) })),
    problems,
    switchedOffDestinations: switchedOff.map(({ failing_since, ...destination }) => ({
      ...destination,
      failingSince: asInstantOrNull(failing_since),
    })),
    alerts,
    needsPerson: worst.map(runListItemView),
    ...countsOf(counts, cap),
    openCompensations: row.open_compensations,
    planApprovals: row.plan_approvals,
    workers: {
      live: row.workers_live,
      lost: row.workers_lost,
      running: row.running,
      concurrency: row.concurrency,
    },
    oldestPendingMs: row.oldest_pending_ms,
    nextDueAt: asInstantOrNull(row.next_due_at),
    lostClaimsLastHour: row.lost_claims_last_hour,
    closedIntakes: row.closed_intakes.map(({ workflow, title, waiting, ...closed }) => ({
      workflow,
      title,
      waiting: Math.min(waiting, cap),
      ...intakeOf(closed),
    })),
    demo,
    updatedAt: now(),
  };
}

/** One after the other. */
async function readOthers(db: Db, cap: number) {
  return {
    row: await selectOverview(db, cap),
    worst: await listRunsNeedingAPerson(db),
    stranded: await listStranded(db, cap),
    overdue: await listOverdue(db, cap),
    switchedOff: await listSwitchedOff(db),
    alerts: await readOpenAlerts(db),
  };
}

/** @param of only the questions of these workflows; null: of all */
export async function readApprovals(
  db: Db,
  { cursor, limit = DEFAULT_PAGE_SIZE }: Page,
  of: readonly string[] | null = null,
) {
  const after = cursor === undefined ? null : decodeCursor<[number]>(cursor, ([seq]) => Number.isSafeInteger(seq))[0];
  const rows = await listOpenApprovals(db, { after, limit: limit + 1, of });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    approvals: shown.map(openApprovalView),
    nextCursor: last ? encodeCursor([last.seq]) : null,
    updatedAt: now(),
  };
}

const openApprovalView = (row: OpenApprovalRow) => ({
  runId: row.run_id,
  workflow: row.workflow,
  title: row.title,
  tags: row.tags ?? {},
  runTitle: row.run_title,
  step: row.step,
  runRevision: row.run_revision,
  question: row.question,
  choices: row.choices,
  data: asJson(row.data),
  since: asInstant(row.opened_at),
  until: asInstantOrNull(row.until),
});

export async function readWorkers(db: Db) {
  return { workers: (await listWorkers(db)).map(workerView), updatedAt: now() };
}

const workerView = (row: WorkerRow) => ({
  id: String(row.id),
  name: row.name,
  status: row.status,
  workflows: row.workflows,
  language: row.language,
  concurrency: row.concurrency,
  running: row.running,
  startedAt: asInstant(row.started_at),
  heartbeatAt: asInstant(row.heartbeat_at),
  leaseExpiresAt: asInstant(row.lease_expires_at),
  stoppedAt: asInstantOrNull(row.stopped_at),
});
