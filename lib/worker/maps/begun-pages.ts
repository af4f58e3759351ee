import { isBlob } from "../../engine/values/blob";
import { decodeValue } from "../../engine/values/codec";
import type { Db } from "../../store/db";
import { inputsOfPages } from "../../store/runs/inputs-of-pages";
import type { ClaimedRun, ClaimedStep } from "../../store/workers/claim-runs";
import type { Claim } from "../claims/claim";
import type { BegunPages, PageInput, PageOutput } from "./map-in-pages";
import { MAX_PAGES } from "./map-plan";

export const stepOfPage = (map: string, page: number) => `${map}:page-${page}`;

/**
 * Read before the run's code begins: code that waited for it would get its steps' outcomes in another order.
 * @param claim tries again, and has the blob store
 * @throws HandrailError `payload_locked`, `blob_unavailable`
 */
export async function begunPages({ id, steps }: ClaimedRun, db: Db, claim?: Claim): Promise<BegunPages> {
  const unsized = unsizedPages(steps);
  if (unsized.length === 0) return pagesByOutcome(steps);
  const read = () => inputsOfPages(db, id, unsized);
  const inputs = await (claim ? claim.retrying(read) : read());
  const places = inputs.map(async ({ runId, step, input }) => {
    const whole = claim ? await claim.read([runId, "input"], input) : input;
    return [step, placeByInput(whole)] as const;
  });
  const byStep = new Map(await Promise.all(places));
  return pagesOf(steps, (step) => {
    const place = byStep.get(step.name);
    return { first: place?.first, size: sizeByOutcome(step) ?? place?.size };
  });
}

/** Pages whose place among the items only their runs' inputs tell: without an outcome, or behind one that was not begun. */
export function unsizedPages(steps: readonly ClaimedStep[]): string[] {
  const names: string[] = [];
  for (const pages of rowsOf(steps).values())
    for (const [index, step] of [...pages].entries())
      if (step && (sizeByOutcome(step) === undefined || pages[index - 1] === null)) names.push(step.name);
  return names;
}

/** The same by what the run's own record has: a page without an outcome is taken to be as large as the one before it. */
export const pagesByOutcome = (steps: readonly ClaimedStep[]): BegunPages =>
  pagesOf(steps, (step) => ({ size: sizeByOutcome(step) }));

interface Place {
  first?: number | undefined;
  size: number | undefined;
}

function pagesOf(steps: readonly ClaimedStep[], placeOf: (step: ClaimedStep) => Place): BegunPages {
  const sizes = new Map<string, (number | undefined)[]>();
  for (const [map, rows] of rowsOf(steps)) sizes.set(map, sizesOf(rows.map((row) => row && placeOf(row))));
  return sizes;
}

/** Pages of one build are equal, but for the last: those of unknown size share what is left before the next known place. */
export function sizesOf(places: readonly (Place | null)[]): (number | undefined)[] {
  const sizes = places.map((place) => place?.size);
  let from = 0;
  for (const [index, place] of places.entries()) {
    if (place?.first === undefined) continue;
    shareOut(sizes, from, index, place.first - (places[from]?.first ?? 0));
    from = index;
  }
  for (let page = 1; page < sizes.length; page++) sizes[page] ??= sizes[page - 1];
  return sizes;
}

function shareOut(sizes: (number | undefined)[], from: number, to: number, items: number): void {
  const between = sizes.slice(from, to);
  const known = between.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const share = Math.ceil((items - known) / between.filter((size) => size === undefined).length);
  if (share > 0 && Number.isFinite(share)) for (let page = from; page < to; page++) sizes[page] ??= share;
}

/** The rows of each map's pages, in order; null for one that has none. */
function rowsOf(steps: readonly ClaimedStep[]): Map<string, (ClaimedStep | null)[]> {
  const maps = new Map<string, (ClaimedStep | null)[]>();
  for (const step of steps) {
    const [, map, number] = (step.kind === "child" && /^(.+):page-([1-9]\d{0,4})$/s.exec(step.name)) || [];
    if (map === undefined || Number(number) > MAX_PAGES) continue;
    const rows = maps.get(map) ?? [];
    while (rows.length < Number(number)) rows.push(null);
    rows[Number(number) - 1] = step;
    maps.set(map, rows);
  }
  return maps;
}

/** What a person has supplied, or skipped, has no attempt, and says nothing of the page. */
function sizeByOutcome({ status, attempt, output }: ClaimedStep): number | undefined {
  if (status !== "completed" || attempt === 0 || output === null || isBlob(output)) return undefined;
  // A parent of thousands of pages asks this of each, with each page that ends.
  const [, done, failed] = /^\{"done":(\d+),"failed":(\d+),/.exec(output) ?? [];
  if (done !== undefined) return Number(done) + Number(failed) || undefined;
  const page = decodeValue(output) as Partial<PageOutput> | null | undefined;
  return (page?.done ?? 0) + (page?.failed ?? 0) || undefined;
}

function placeByInput(input: string): Place {
  if (isBlob(input)) return { size: undefined };
  const page = decodeValue(input) as PageInput;
  return "items" in page ? { first: page.first, size: page.items.length } : { size: undefined };
}
