import type { EffectVerdict } from "../../engine/steps/effect-verdict";
import type { Db } from "../../store/db";
import { type EffectFilter, type EffectRow, listEffects, listLosses } from "../../store/reads/effects";
import { findRuns } from "../../store/reads/find-runs";
import type { RunFilter } from "../../store/reads/run-filter";
import { idsOfWorkflows } from "../../store/workflows/workflows-of-targets";
import { pause } from "../in-turns";
import { type EffectView, effectView } from "./effect-view";

export interface JudgedFilter extends EffectFilter {
  verdict?: readonly EffectVerdict[] | undefined;
}

/** After the step of this position and name, in this run. */
export type EffectKey = readonly [runId: string, position: number, step: string];

/** The runs whose effects are listed. */
export interface RunSource {
  /** Newest first: those before the id `before`. `next` is null at their end. */
  older(before: string | null, limit: number): Promise<{ ids: string[]; next: string | null }>;
  /** Whether a run is one of them, or was when its page was read: callers can write a cursor with any run. */
  has(runId: string): Promise<boolean>;
}

/** A batch of the walk; `next` is where it continues, null at its end. */
interface Batch {
  effects: EffectView[];
  next: EffectKey | null;
}

/** Runs read together: more while they have few effects, fewer when they have many, so that no statement runs long. */
const FIRST_RUNS = 50;
const FEWEST_RUNS = 5;
const MOST_RUNS = 500;
/** Effects per batch, for a walk to the end. */
const STRIDE = 1_000;
const BEFORE_ALL = -2_147_483_648;
/** The highest position that a step can have. */
export const BEHIND_ALL = 2_147_483_647;

export const sourceOfRun = (runId: string) => sourceOfRuns([runId]);

/** Given runs, such as those of one operation. */
export function sourceOfRuns(runIds: readonly string[]): RunSource {
  const newestFirst = [...new Set(runIds)].sort().reverse();
  return {
    older: async (before, limit) => {
      const older = newestFirst.filter((id) => before === null || id < before);
      const ids = older.slice(0, limit);
      return { ids, next: older.length > limit ? (ids.at(-1) ?? null) : null };
    },
    has: async (runId) => newestFirst.includes(runId),
  };
}

/** Effects before `until` belong to runs that existed by then. */
export const sourceOfFilter = (db: Db, filter: RunFilter, until?: string): RunSource => ({
  older: async (before, limit) => {
    const within = { ...filter, createdBefore: earlier(filter.createdBefore, until) };
    const { ids, next } = await findRuns(db, within, { after: before === null ? null : [before, null], limit });
    return { ids, next: next?.[0] ?? null };
  },
  // By the workflow alone, which never changes: a run whose status did goes on where its page ended.
  has: async (runId) =>
    filter.workflow === undefined ||
    filter.workflow.length === 0 ||
    (await idsOfWorkflows(db, [runId], filter.workflow)).length > 0,
});

const earlier = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined ? (Date.parse(one) < Date.parse(other) ? one : other) : (one ?? other);

/** Batch by batch, newest run first and within it in the order of its steps; effects begun meanwhile may be missing. */
export async function* walkEffects(
  db: Db,
  source: RunSource,
  { verdict, ...filter }: JudgedFilter,
  { from = null, limit = STRIDE }: { from?: EffectKey | null; limit?: number } = {},
): AsyncGenerator<Batch> {
  let runs = FIRST_RUNS;
  for (let key = await startOf(source, from); ; ) {
    const [first, ...after] = key ?? [null, BEFORE_ALL, ""];
    const older: Awaited<ReturnType<RunSource["older"]>> = await source.older(first, runs);
    const ids: string[] = first === null ? older.ids : [first, ...older.ids];
    const rows = ids.length > 0 ? await listEffects(db, ids, filter, { after, limit }) : [];
    const effects = await judged(db, rows);
    const full = rows.length === limit ? effects.at(-1) : undefined;
    key = full ? keyOf(full) : older.next !== null ? [older.next, BEHIND_ALL, ""] : null;
    runs = full ? Math.max(FEWEST_RUNS, Math.floor(runs / 2)) : Math.min(MOST_RUNS, runs * 2);
    yield { effects: verdict ? effects.filter((effect) => verdict.includes(effect.verdict)) : effects, next: key };
    if (key === null) return;
  }
}

/** Behind all steps of a run that is not the source's: nothing of it is listed, and no cursor says what it has. */
const startOf = async (source: RunSource, from: EffectKey | null): Promise<EffectKey | null> =>
  from === null || (await source.has(from[0])) ? from : [from[0], BEHIND_ALL, ""];

async function judged(db: Db, rows: readonly EffectRow[]): Promise<EffectView[]> {
  const runIds = [...new Set(rows.map(({ run_id }) => run_id))];
  const losses = runIds.length > 0 ? await listLosses(db, runIds) : [];
  const effects: EffectView[] = [];
  for (const row of rows) {
    const ofRun = losses.filter(({ run_id }) => run_id === row.run_id);
    effects.push(effectView(row, ofRun));
    await pause();
  }
  return effects;
}

export const keyOf = ({ runId, position, step }: EffectView): EffectKey => [runId, position, step];
