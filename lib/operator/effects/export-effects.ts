import { unknownRun } from "../../engine/errors";
import { VERDICT_SENTENCES } from "../../engine/steps/effect-verdict";
import { csvLine } from "../../engine/values/csv";
import type { Db } from "../../store/db";
import { selectRunStatus } from "../../store/reads/run-detail";
import type { RunFilter } from "../../store/reads/run-filter";
import { type ExportFormat, type Masking, ndjsonLine } from "../export-formats";
import { pause } from "../in-turns";
import { atInstants } from "../runs/run-times";
import type { EffectView } from "./effect-view";
import { type JudgedFilter, sourceOfFilter, sourceOfRun, walkEffects } from "./walk-effects";

/** The columns of the exported table. */
export const EFFECT_COLUMNS: readonly (readonly [header: string, cell: (effect: EffectView) => unknown])[] = [
  ["runId", ({ runId }) => runId],
  ["workflow", ({ workflow }) => workflow],
  ["runStatus", ({ runStatus }) => runStatus],
  [
    "tags",
    ({ tags }) =>
      Object.entries(tags)
        .map(([name, value]) => `${name}=${value}`)
        .join(" "),
  ],
  ["step", ({ step }) => step],
  ["verdict", ({ verdict }) => verdict],
  ["sentence", ({ verdict }) => VERDICT_SENTENCES[verdict]],
  ["outcome", ({ outcome }) => outcome],
  ["effect", ({ kind, effect }) => (kind === "transaction" ? "transaction" : effect)],
  ["reference", ({ reference }) => reference],
  ["keyUse", ({ keyUse }) => keyUse],
  ["keys", ({ generations }) => [...new Set(generations.map(({ idempotencyKey }) => idempotencyKey))].join(" ")],
  ["attempts", ({ attemptCount }) => attemptCount],
  ["workers", ({ generations }) => workersOf(generations).join(" ")],
  ["compensation", ({ compensation }) => compensation],
  ["startedAt", ({ startedAt }) => startedAt],
  ["finishedAt", ({ finishedAt }) => finishedAt],
];

const workersOf = (generations: EffectView["generations"]) => [
  ...new Set(
    generations.flatMap(({ attempts }) => attempts.map(({ workerId }) => workerId)).filter((id) => id !== null),
  ),
];

/**
 * Everything in the run's ledger, one batch at a time, as text. @throws HandrailError `unknown_run`, before the first
 * batch
 */
export async function exportRunEffects(
  db: Db,
  runId: string,
  filter: Pick<JudgedFilter, "verdict">,
  format: ExportFormat,
  mask: Masking<EffectView>,
): Promise<AsyncGenerator<string>> {
  if (!(await selectRunStatus(db, runId))) throw unknownRun(runId);
  return linesOf(walkEffects(db, sourceOfRun(runId), filter), format, mask);
}

/** Every effect that matches the filter, newest run first, one batch at a time, as text. */
export function exportEffects(
  db: Db,
  filter: Omit<RunFilter, "step"> & JudgedFilter,
  format: ExportFormat,
  mask: Masking<EffectView>,
): AsyncGenerator<string> {
  const { step, since, until, verdict, ...runs } = filter;
  return linesOf(
    walkEffects(db, sourceOfFilter(db, atInstants(runs), until), { step, since, until, verdict }),
    format,
    mask,
  );
}

async function* linesOf(
  batches: ReturnType<typeof walkEffects>,
  format: ExportFormat,
  mask: Masking<EffectView>,
): AsyncGenerator<string> {
  if (format === "csv") yield csvLine(EFFECT_COLUMNS.map(([header]) => header));
  const lineOf =
    format === "csv" ? (effect: EffectView) => csvLine(EFFECT_COLUMNS.map(([, cell]) => cell(effect))) : ndjsonLine;
  for await (const { effects } of batches) {
    let lines = "";
    for (const effect of await mask(effects)) {
      lines += lineOf(effect);
      await pause();
    }
    if (lines !== "") yield lines;
  }
}
