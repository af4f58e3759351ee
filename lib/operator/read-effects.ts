import { EFFECT_VERDICTS, type EffectVerdict, worstOf } from "../engine/effect-verdict";
import type { Db } from "../store/db";
import { type EffectFilter, isRun, listEffects, listLosses, listRunIds } from "../store/reads/effects";
import type { RunFilter } from "../store/reads/run-filter";
import { unknownRun } from "./command";
import { decodeCursor, encodeCursor } from "./cursor";
import { type EffectView, effectView } from "./effect-view";
import type { Page } from "./reads";

export interface JudgedFilter extends EffectFilter {
  verdict?: readonly EffectVerdict[] | undefined;
}

/** Behind the step of this position and name, in this run. */
type EffectKey = readonly [runId: string, position: number, step: string];

/** The runs whose effects are told, newest first: those before the id `before`. */
type RunSource = (before: string | null, limit: number) => Promise<string[]>;

/** A batch of the walk; `next` is where it goes on, null at its end. */
interface Batch {
  effects: EffectView[];
  next: EffectKey | null;
}

const RUNS_A_BATCH = 50;
const EFFECTS_A_BATCH = 200;
/** For a walk that goes on to the end. */
const EFFECTS_A_STRIDE = 2_000;
const DEFAULT_PAGE_SIZE = 50;
/** Batches that one page may cost: a rare verdict is then found page by page, each in bounded time. */
const BATCHES_A_PAGE = 10;
/** Strides by which a run's own verdict is told: twice what runs are tested with. */
const STRIDES_A_TALLY = 10;
/** Before every step: the keyset of a run's first page. */
const BEFORE_ALL = -2_147_483_648;
const BEHIND_ALL = 2_147_483_647;

export const sourceOfRun = (runId: string) => sourceOfRuns([runId]);

/** Given runs, such as those of one operation. */
export function sourceOfRuns(runIds: readonly string[]): RunSource {
  const newestFirst = [...new Set(runIds)].sort().reverse();
  return async (before, limit) => newestFirst.filter((id) => before === null || id < before).slice(0, limit);
}

/** Effects before `until` are those of runs that were there by then. */
export const sourceOfFilter =
  (db: Db, filter: RunFilter, until?: string): RunSource =>
  (before, limit) =>
    listRunIds(db, { ...filter, createdBefore: earlier(filter.createdBefore, until) }, { before, limit });

const earlier = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined ? (Date.parse(one) < Date.parse(other) ? one : other) : (one ?? other);

/** Batch by batch, newest run first and within it in the order of its steps; what is begun meanwhile may be missing. */
export async function* walkEffects(
  db: Db,
  source: RunSource,
  { verdict, ...filter }: JudgedFilter,
  { from = null, limit = EFFECTS_A_STRIDE }: { from?: EffectKey | null; limit?: number } = {},
): AsyncGenerator<Batch> {
  for (let key = from; ; ) {
    const runIds: string[] = await source(key?.[0] ?? null, RUNS_A_BATCH);
    const ids: string[] = key ? [key[0], ...runIds] : runIds;
    if (ids.length === 0) return;
    const after = key ? ([key[1], key[2]] as const) : ([BEFORE_ALL, ""] as const);
    const rows = await listEffects(db, ids, filter, { after, limit });
    const losses = rows.length > 0 ? await listLosses(db, [...new Set(rows.map(({ run_id }) => run_id))]) : [];
    const judged = rows.map((row) =>
      effectView(
        row,
        losses.filter(({ run_id }) => run_id === row.run_id),
      ),
    );
    const effects = verdict ? judged.filter((effect) => verdict.includes(effect.verdict)) : judged;
    const last = judged.at(-1);
    key =
      rows.length === limit && last
        ? keyOf(last)
        : runIds.length === RUNS_A_BATCH
          ? [ids.at(-1) as string, BEHIND_ALL, ""]
          : null;
    yield { effects, next: key };
    if (key === null) return;
  }
}

const keyOf = ({ runId, position, step }: EffectView): EffectKey => [runId, position, step];

/** The effects of the runs that a filter finds, one page; a page may be short of its limit and have a next one. */
export async function readEffects(
  db: Db,
  { cursor, limit = DEFAULT_PAGE_SIZE, step, since, until, verdict, ...runs }: RunFilter & JudgedFilter & Page,
) {
  const source = sourceOfFilter(db, runs, until);
  const page = await pageOf(db, source, { step, since, until, verdict }, { cursor, limit });
  return { ...page, updatedAt: new Date().toISOString() };
}

/** @throws HandrailError `unknown_run` */
export async function readRunEffects(
  db: Db,
  runId: string,
  { cursor, limit = DEFAULT_PAGE_SIZE, verdict }: Pick<JudgedFilter, "verdict"> & Page,
) {
  if (!(await isRun(db, runId))) throw unknownRun(runId);
  const source = sourceOfRun(runId);
  const page = await pageOf(db, source, { verdict }, { cursor, limit });
  // With the first page: the others need not count again.
  const tally = cursor === undefined ? await tallyOf(db, source) : null;
  return { ...page, tally, updatedAt: new Date().toISOString() };
}

async function pageOf(
  db: Db,
  source: RunSource,
  filter: JudgedFilter,
  page: { cursor?: string | undefined; limit: number },
) {
  const from = page.cursor === undefined ? null : decodeCursor<EffectKey>(page.cursor, isEffectKey);
  const effects: EffectView[] = [];
  let next: EffectKey | null = null;
  let batches = 0;
  for await (const batch of walkEffects(db, source, filter, { from, limit: EFFECTS_A_BATCH })) {
    effects.push(...batch.effects);
    next = batch.next;
    batches++;
    if (effects.length >= page.limit || batches === BATCHES_A_PAGE) break;
  }
  const shown = effects.slice(0, page.limit);
  const last = shown.at(-1);
  if (last && effects.length > page.limit) next = keyOf(last);
  return { effects: shown, nextCursor: next && encodeCursor(next) };
}

/** How many effects have each verdict, and the worst of them. */
async function tallyOf(db: Db, source: RunSource) {
  const counts = Object.fromEntries(EFFECT_VERDICTS.map((verdict) => [verdict, 0])) as Record<EffectVerdict, number>;
  let strides = 0;
  let capped = false;
  for await (const { effects, next } of walkEffects(db, source, {})) {
    for (const { verdict } of effects) counts[verdict]++;
    if (++strides === STRIDES_A_TALLY) {
      capped = next !== null;
      break;
    }
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { verdict: worstOf(EFFECT_VERDICTS.filter((verdict) => counts[verdict] > 0)), counts, total, capped };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isEffectKey = ([runId, position, step]: unknown[]) =>
  typeof runId === "string" &&
  UUID.test(runId) &&
  Number.isInteger(position) &&
  Math.abs(position as number) <= BEHIND_ALL &&
  typeof step === "string" &&
  !step.includes("\0");
