import { unknownRun } from "../../engine/errors";
import type { RunStatus } from "../../engine/runs/run";
import { EFFECT_VERDICTS, type EffectVerdict, judgeRun } from "../../engine/steps/effect-verdict";
import type { Db } from "../../store/db";
import { listLosses } from "../../store/reads/effects";
import { selectRunStatus } from "../../store/reads/run-detail";
import type { RunFilter } from "../../store/reads/run-filter";
import { decodeCursor, encodeCursor } from "../cursor";
import type { Page } from "../runs/reads";
import { atInstants } from "../runs/run-times";
import type { EffectView } from "./effect-view";
import {
  BEHIND_ALL,
  type EffectKey,
  type JudgedFilter,
  keyOf,
  type RunSource,
  sourceOfFilter,
  sourceOfRun,
  walkEffects,
} from "./walk-effects";

const DEFAULT_PAGE_SIZE = 50;
/** Effects read together for a page. */
const EFFECTS_A_BATCH = 200;
/** Batches read for one page: a rare verdict is then found page by page, each in bounded time. */
const BATCHES_A_PAGE = 10;
/** Strides read for a run's own verdict: twice what runs are tested with. */
const STRIDES_A_TALLY = 20;

/** One page of the effects of the runs that match a filter; a page may be short of its limit and have a next one. */
export async function readEffects(
  db: Db,
  {
    cursor,
    limit = DEFAULT_PAGE_SIZE,
    step,
    since,
    until,
    verdict,
    ...runs
  }: Omit<RunFilter, "step"> & JudgedFilter & Page,
) {
  const source = sourceOfFilter(db, atInstants(runs), until);
  const page = await pageOf(db, source, { step, since, until, verdict }, { cursor, limit });
  return { ...page, updatedAt: new Date().toISOString() };
}

/** @throws HandrailError `unknown_run` */
export async function readRunEffects(
  db: Db,
  runId: string,
  { cursor, limit = DEFAULT_PAGE_SIZE, verdict }: Pick<JudgedFilter, "verdict"> & Page,
) {
  const run = await selectRunStatus(db, runId);
  if (!run) throw unknownRun(runId);
  const source = sourceOfRun(runId);
  const page = await pageOf(db, source, { verdict }, { cursor, limit });
  // Counted on the first page only.
  const tally = cursor === undefined ? await tallyOf(db, runId, run.status) : null;
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

/** How many effects have each verdict, and the worst verdict. */
async function tallyOf(db: Db, runId: string, status: RunStatus) {
  const counts = Object.fromEntries(EFFECT_VERDICTS.map((verdict) => [verdict, 0])) as Record<EffectVerdict, number>;
  let strides = 0;
  let capped = false;
  for await (const { effects, next } of walkEffects(db, sourceOfRun(runId), {})) {
    for (const { verdict } of effects) counts[verdict]++;
    if (++strides === STRIDES_A_TALLY) {
      capped = next !== null;
      break;
    }
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const losses = status === "completed" ? [] : await listLosses(db, [runId]);
  const lostAtEnd = losses.some(({ next_kept_at }) => next_kept_at === null);
  const present = EFFECT_VERDICTS.filter((verdict) => counts[verdict] > 0);
  return { verdict: judgeRun(present, { status, lostAtEnd }), counts, total, lostAtEnd, capped };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isEffectKey = ([runId, position, step]: unknown[]) =>
  typeof runId === "string" &&
  UUID.test(runId) &&
  Number.isInteger(position) &&
  Math.abs(position as number) <= BEHIND_ALL &&
  typeof step === "string" &&
  !step.includes("\0");
