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
  /** Those behind the run `last`, in their order. `next` is null at their end. */
  following(last: string | null, limit: number): Promise<{ ids: string[]; next: string | null }>;
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

/** Given runs in the given order, such as those of one operation; nothing is behind a run that is none of them. */
export function sourceOfRuns(runIds: readonly string[]): RunSource {
  const all = [...new Set(runIds)];
  const places = new Map(all.map((id, place) => [id, place]));
  return {
    following: async (last, limit) => {
      const from = last === null ? 0 : (places.get(last) ?? all.length) + 1;
      const ids = all.slice(from, from + limit);
      return { ids, next: from + limit < all.length ? (ids.at(-1) ?? null) : null };
    },
    has: async (runId) => places.has(runId),
  };
}

/** Newest first. Effects before `until` belong to runs that existed by then. */
export const sourceOfFilter = (db: Db, filter: RunFilter, until?: string): RunSource => ({
  following: async (last, limit) => {
    const within = { ...filter, createdBefore: earlier(filter.createdBefore, until) };
    const { ids, next } = await findRuns(db, within, { after: last === null ? null : [last, null], limit });
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

/** Batch by batch, run after run and within it in the order of its steps; effects begun meanwhile may be missing. */
export async function* walkEffects(
  db: Db,
  source: RunSource,
  { verdict, ...filter }: JudgedFilter,
  { from = null, limit = STRIDE }: { from?: EffectKey | null; limit?: number } = {},
): AsyncGenerator<Batch> {
  let runs = FIRST_RUNS;
  for (let key = await startOf(source, from); ; ) {
    const [first, ...after] = key ?? [null, BEFORE_ALL, ""];
    const following: Awaited<ReturnType<RunSource["following"]>> = await source.following(first, runs);
    const ids: string[] = first === null ? following.ids : [first, ...following.ids];
    const rows = ids.length > 0 ? await listEffects(db, ids, filter, { after, limit }) : [];
    const effects = await judged(db, rows);
    const full = rows.length === limit ? effects.at(-1) : undefined;
    key = full ? keyOf(full) : following.next !== null ? [following.next, BEHIND_ALL, ""] : null;
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
