import type { ReportedOutcome } from "../../engine/operations/operation";
import { titleOfRun } from "../../engine/runs/run-name";
import { csvLine } from "../../engine/values/csv";
import type { Db } from "../../store/db";
import { listReportItems, type ReportItemRow, selectOperation } from "../../store/reads/operations";
import type { RunNaming } from "../../store/reads/run-naming";
import type { EffectView } from "../effects/effect-view";
import { EFFECT_COLUMNS } from "../effects/export-effects";
import { sourceOfRuns, walkEffects } from "../effects/walk-effects";
import { type ExportFormat, type Masking, ndjsonLine } from "../export-formats";
import { asInstantOrNull } from "../values";
import { type OperationView, operationView, unknownOperation } from "./operation-view";

/** Items in memory at a time; their effects come in batches. */
const ITEMS_AT_ONCE = 500;
/** Lines masked and written together. */
const PIECE = 200;

interface ItemLine {
  row: "item";
  /** Its position in the plan. */
  item: number;
  runId: string;
  named: RunNaming | null;
  workflow: string;
  itemOutcome: ReportedOutcome;
  because: string | null;
  at: string | null;
}

type OperationLine = { row: "operation" } & OperationView;
type EffectLine = { row: "effect"; item: number } & EffectView;

const HEAD = ["row", "item", "itemOutcome", "because", "at", "title"];

function csvOf(line: ItemLine | EffectLine): string {
  if (line.row === "effect")
    return csvLine([line.row, line.item, null, null, null, null, ...EFFECT_COLUMNS.map(([, cell]) => cell(line))]);
  const { row, item, itemOutcome, because, at, named, runId, workflow } = line;
  const known: Record<string, string> = { runId, workflow };
  return csvLine([
    row,
    item,
    itemOutcome,
    because,
    at,
    named && titleOfRun(named),
    ...EFFECT_COLUMNS.map(([header]) => known[header]),
  ]);
}

/**
 * The results of an operation, as text, in pieces: each item of its plan in order, and after it each effect of its run
 * once, from today's ledger. Runs that the operation has not reached have no effects here.
 * @throws HandrailError `unknown_operation`, before the first piece
 */
export async function exportOperation(
  db: Db,
  operationId: string,
  format: ExportFormat,
  mask: Masking<OperationLine | ItemLine | EffectLine>,
): Promise<AsyncGenerator<string>> {
  const operation = await selectOperation(db, operationId);
  if (!operation) throw unknownOperation(operationId);
  const head =
    format === "csv"
      ? csvLine([...HEAD, ...EFFECT_COLUMNS.map(([header]) => header)])
      : (await mask([{ row: "operation", ...operationView(operation) }])).map(ndjsonLine).join("");
  const textOf = async (lines: (ItemLine | EffectLine)[]) =>
    (await mask(lines))
      .map((line) => (format === "csv" && line.row !== "operation" ? csvOf(line) : ndjsonLine(line)))
      .join("");
  return piecesOf(head, linesOf(db, operationId), textOf);
}

async function* piecesOf<Line>(head: string, lines: AsyncGenerator<Line>, textOf: (lines: Line[]) => Promise<string>) {
  yield head;
  let piece: Line[] = [];
  for await (const line of lines) {
    piece.push(line);
    if (piece.length < PIECE) continue;
    yield await textOf(piece);
    piece = [];
  }
  if (piece.length > 0) yield await textOf(piece);
}

async function* linesOf(db: Db, operationId: string): AsyncGenerator<ItemLine | EffectLine> {
  for (let after = 0; ; ) {
    const rows = await listReportItems(db, operationId, { after, limit: ITEMS_AT_ONCE });
    yield* withEffects(db, rows.map(itemLine));
    const last = rows.at(-1);
    if (!last || rows.length < ITEMS_AT_ONCE) return;
    after = last.position;
  }
}

/** Effects come in the order of the items: one walk over each. */
async function* withEffects(db: Db, items: readonly ItemLine[]): AsyncGenerator<ItemLine | EffectLine> {
  const walk = effectsOf(
    db,
    items.filter(({ at }) => at !== null).map(({ runId }) => runId),
  );
  let next = await walk.next();
  for (const line of items) {
    yield line;
    for (; !next.done && next.value.runId === line.runId; next = await walk.next())
      yield { row: "effect", item: line.item, ...next.value };
  }
}

async function* effectsOf(db: Db, runIds: readonly string[]): AsyncGenerator<EffectView, void> {
  if (runIds.length > 0) for await (const { effects } of walkEffects(db, sourceOfRuns(runIds), {})) yield* effects;
}

const itemLine = ({ position, run_id, named, workflow, included, outcome, because, at }: ReportItemRow): ItemLine => ({
  row: "item",
  item: position,
  runId: run_id,
  named,
  workflow,
  itemOutcome: outcome ?? (included ? "not_begun" : "left_out"),
  because,
  at: asInstantOrNull(at),
});
