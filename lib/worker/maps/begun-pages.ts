import { isPayloadLocked } from "../../engine/privacy/sealed";
import { isBlob } from "../../engine/values/blob";
import { decodeValue } from "../../engine/values/codec";
import type { Db } from "../../store/db";
import { inputsOfRuns } from "../../store/runs/inputs-of-runs";
import type { ClaimedStep } from "../../store/workers/claim-runs";
import { ClaimLost } from "../claims/claim-lost";
import type { Pass } from "../passes/pass";
import type { PageInput, PageOutput, PageSizes } from "./map-in-pages";

type PageRow = Pick<ClaimedStep, "name" | "output" | "reference">;

/** By the outcomes alone: of each page with a row, in their order. */
export const sizesByOutcome = (map: string, rowOf: (step: string) => PageRow | undefined): PageSizes =>
  rowsOfPages(map, rowOf).map(sizeByOutcome);

/**
 * How many items each page has that a map over an array has begun, in their order. Code with another `pageSize` goes on behind them: items
 * of a page that has begun are never cut again, or some would be left out and others come twice.
 */
export function sizesOfBegunPages(pass: Pass, db: Db, map: string): PageSizes | Promise<PageSizes> {
  const rows = rowsOfPages(map, (step) => pass.claim.latestRow(step));
  const sizes = rows.map(sizeByOutcome);
  const open = rows.filter(({ reference }, index) => sizes[index] === undefined && reference !== null);
  return open.length === 0 ? sizes : pass.rest.work(() => withInputs(pass, db, rows, sizes, open));
}

function rowsOfPages(map: string, rowOf: (step: string) => PageRow | undefined): PageRow[] {
  const rows: PageRow[] = [];
  for (;;) {
    const row = rowOf(stepOfPage(map, rows.length + 1));
    if (!row) return rows;
    rows.push(row);
  }
}

export const stepOfPage = (map: string, page: number) => `${map}:page-${page}`;

function sizeByOutcome({ output }: PageRow): number | undefined {
  if (output === null || isBlob(output)) return undefined;
  const page = decodeValue(output) as PageOutput | null | undefined;
  return page ? page.done + page.failed || undefined : undefined;
}

/** A page that has not ended holds its items as its run's input. */
async function withInputs(
  { claim, rest }: Pass,
  db: Db,
  rows: PageRow[],
  sizes: PageSizes,
  open: PageRow[],
): Promise<PageSizes> {
  try {
    const ids = open.map(({ reference }) => reference as string);
    const inputs = await claim.retrying(() => inputsOfRuns(db, ids));
    const whole = await Promise.all(
      inputs.map(async ({ id, input }) => [id, await claim.loaded([id, "input"], input)] as const),
    );
    const byRun = new Map(whole);
    return rows.map(({ reference }, index) => sizes[index] ?? sizeByInput(byRun.get(reference ?? "")));
  } catch (error) {
    if (!isPayloadLocked(error)) throw error;
    rest.stop("locked", error);
    throw new ClaimLost(claim.run.id);
  }
}

function sizeByInput(input: string | undefined): number | undefined {
  const page = input === undefined ? undefined : (decodeValue(input) as PageInput);
  return page && "items" in page ? page.items.length : undefined;
}
