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
  const sizes = inputs.map(async ({ runId, step, input }) => {
    const whole = claim ? await claim.read([runId, "input"], input) : input;
    return [step, sizeByInput(whole)] as const;
  });
  const byStep = new Map(await Promise.all(sizes));
  return pagesOf(steps, (step) => sizeByOutcome(step) ?? byStep.get(step.name));
}

/** Pages whose size only their runs' inputs tell. */
export const unsizedPages = (steps: readonly ClaimedStep[]): string[] =>
  steps.filter((step) => mapOf(step) && sizeByOutcome(step) === undefined).map(({ name }) => name);

/** The same by what the run's own record has: a page without an outcome is taken to be as large as the one before it. */
export const pagesByOutcome = (steps: readonly ClaimedStep[]): BegunPages => pagesOf(steps, sizeByOutcome);

function pagesOf(steps: readonly ClaimedStep[], sizeOf: (step: ClaimedStep) => number | undefined): BegunPages {
  const pages = new Map<string, (number | undefined)[]>();
  for (const step of steps) {
    const of = mapOf(step);
    if (!of) continue;
    const sizes = pages.get(of.map) ?? [];
    sizes[of.page - 1] = sizeOf(step);
    pages.set(of.map, sizes);
  }
  for (const sizes of pages.values()) for (let page = 1; page < sizes.length; page++) sizes[page] ??= sizes[page - 1];
  return pages;
}

function mapOf({ kind, name }: ClaimedStep): { map: string; page: number } | undefined {
  const [, map, page] = (kind === "child" && /^(.+):page-([1-9]\d{0,4})$/s.exec(name)) || [];
  return map !== undefined && Number(page) <= MAX_PAGES ? { map, page: Number(page) } : undefined;
}

/** What a person has supplied, or skipped, has no attempt, and says nothing of the page. */
function sizeByOutcome({ status, attempt, output }: ClaimedStep): number | undefined {
  if (status !== "completed" || attempt === 0 || output === null || isBlob(output)) return undefined;
  const page = decodeValue(output) as Partial<PageOutput> | null | undefined;
  return (page?.done ?? 0) + (page?.failed ?? 0) || undefined;
}

function sizeByInput(input: string): number | undefined {
  if (isBlob(input)) return undefined;
  const page = decodeValue(input) as PageInput;
  return "items" in page ? page.items.length : undefined;
}
