import { DEPLOYS_KEPT_DAYS, type DeployNames, deployName } from "../../engine/deploys/deploy";
import { HandrailError } from "../../engine/errors";
import type { Db } from "../../store/db";
import { type DeployFilter, type DeployRow, keepDeploy, listDeploys } from "../../store/deploys/deploys";
import { type Attempt, audited } from "../audit/audited";
import { decodeCursor, encodeCursor, isInstant } from "../cursor";
import type { Desk } from "../desk";
import { asInstant } from "../values";

/** Clocks of pipelines are a little off. */
const AHEAD_MS = 300_000;
const DAY_MS = 86_400_000;
/** Of one chart. */
const ON_A_CHART = 50;

export type Deploy = ReturnType<typeof deployView>;

/** @param workflows those that the reader may see; null: all */
export function deployView(row: DeployRow, workflows: readonly string[] | null = null) {
  const seen = Object.entries(row.workflows).filter(([name]) => workflows === null || workflows.includes(name));
  const { version, commit, build, url, marked_by: by } = row;
  return {
    id: String(row.id),
    at: asInstant(row.at),
    name: deployName({ ...row, workflows: Object.fromEntries(seen) }),
    ...{ version, commit, build, url, by },
    workflows: seen.map(([workflow, versions]) => ({ workflow, versions })),
  };
}

interface Marking extends Omit<DeployNames, "build"> {
  url: string | null;
  at: Date | null;
  reason?: string | undefined;
}

/**
 * Marks a deploy; marked again, or found by a worker before, it is the same one, which keeps what either knows of it.
 * @throws HandrailError `invalid_input` for a time that no chart shows
 */
export function markDeploy(desk: Desk, { reason = "A deploy was marked.", ...mark }: Marking) {
  if (mark.at) checkTime(mark.at.getTime());
  const { at, ...names } = mark;
  const attempt: Attempt = { act: "mark_deploy", runId: null, reason, details: { ...names, at }, before: {} };
  return audited(desk, attempt, async (tx, record) => {
    const kept = await keepDeploy(tx, { ...mark, build: null, workflows: {}, markedBy: desk.by.name });
    // Only a worker's mark can be needless.
    const { row, created } = kept as NonNullable<typeof kept>;
    await record({ deployId: String(row.id) });
    return { status: created ? 201 : 200, body: deployView(row) };
  });
}

function checkTime(atMs: number): void {
  const age = Date.now() - atMs;
  const wrong = age < -AHEAD_MS ? "is in the future" : age > DEPLOYS_KEPT_DAYS * DAY_MS && "is older than any chart";
  if (wrong)
    throw new HandrailError("invalid_input", `The time of the deploy ${wrong}: ${new Date(atMs).toISOString()}.`);
}

interface DeploysQuery {
  workflow?: readonly string[] | undefined;
  cursor?: string | undefined;
  limit: number;
}

/** Latest first. */
export async function readDeploys(db: Db, { workflow, cursor, limit }: DeploysQuery) {
  const workflows = workflow?.length ? workflow : null;
  const after = cursor === undefined ? null : decodeCursor<[string, number]>(cursor, isKey);
  const rows = await listDeploys(db, { workflows, after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    deploys: shown.map((row) => deployView(row, workflows)),
    nextCursor: last ? encodeCursor([last.key_at, last.id]) : null,
    updatedAt: new Date().toISOString(),
  };
}

const isKey = ([at, id]: unknown[]) => isInstant(at) && Number.isSafeInteger(id);

/** Those of a chart, oldest first; the latest fifty. */
export async function deploysWithin(db: Db, within: Omit<DeployFilter, "after" | "limit">): Promise<Deploy[]> {
  const rows = await listDeploys(db, { ...within, limit: ON_A_CHART });
  return rows.reverse().map((row) => deployView(row, within.workflows ?? null));
}

/** The last deploy before that time, if it was within a day; null without one. */
export async function deployBefore(db: Db, workflow: string, at: Date): Promise<Deploy | null> {
  const since = new Date(at.getTime() - DAY_MS);
  const [row] = await listDeploys(db, { workflows: [workflow], since, until: at, limit: 1 });
  return row ? deployView(row, [workflow]) : null;
}
