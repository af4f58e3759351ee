import type { MapResult } from "../../engine/workflows/map-steps";
import { inLanes } from "./lanes";
import { MAX_PAGES, type MapPlan, skippedCursor, tooManyPages } from "./map-plan";

/** The input of a page's run. */
export type PageInput = { map: string; page: number; first: number; concurrency: number } & (
  | { items: readonly unknown[] }
  | { cursor: unknown }
);

/** The output of a page's run. */
export interface PageOutput {
  done: number;
  failed: number;
  /** The cursor of the next page; null after the last one. */
  next: unknown;
  /** What `reduce` made of it. */
  part: unknown;
}

/**
 * How many items each page has that maps over arrays have begun, by the name of the map and in their order. Code with another `pageSize`
 * goes on behind them: items of a page that has begun are never cut again, or some would be left out and others come twice.
 */
export type BegunPages = ReadonlyMap<string, (number | undefined)[]>;

/** Runs one page as a child, to its end; without an output if a person has skipped it. */
type RunPage = (input: PageInput) => Promise<PageOutput | null | undefined>;

/** The parent's part of a map: it knows pages and counts alone. */
export function mapInPages(
  map: MapPlan,
  begun: BegunPages,
  runPage: RunPage,
  progress: (done: number, total: number) => void,
): Promise<MapResult<unknown>> {
  return typeof map.items === "function"
    ? mapCursor(map, runPage)
    : mapArray(map, map.items, begun.get(map.name) ?? [], runPage, progress);
}

/** Of a page that a person has skipped nothing is counted. */
function resultOf(map: MapPlan, all: readonly (PageOutput | null | undefined)[]): MapResult<unknown> {
  const pages = all.filter((page) => page !== undefined && page !== null);
  return {
    done: pages.reduce((sum, { done }) => sum + done, 0),
    failed: pages.reduce((sum, { failed }) => sum + failed, 0),
    parts: map.reduce ? pages.map(({ part }) => part) : [],
  };
}

async function mapArray(
  map: MapPlan,
  items: readonly unknown[],
  begun: (number | undefined)[],
  runPage: RunPage,
  progress: (done: number, total: number) => void,
): Promise<MapResult<unknown>> {
  const { name, pagesAtOnce, concurrency } = map;
  const cuts = cutsOf(map, items.length, begun);
  const pages: (PageOutput | null | undefined)[] = [];
  let ended = 0;
  await inLanes(cuts.length - 1, pagesAtOnce, async (index) => {
    const first = cuts[index] ?? 0;
    const some = items.slice(first, cuts[index + 1]);
    pages[index] = await runPage({ map: name, page: index + 1, first, concurrency, items: some });
    ended += some.length;
    progress(ended, items.length);
  });
  return resultOf(map, pages);
}

/** Where each page begins, and where the last one ends: pages that have begun as they are, the rest by `pageSize`. */
function cutsOf({ name, pageSize }: MapPlan, count: number, begun: (number | undefined)[]): number[] {
  const cuts = [0];
  for (let at = 0; at < count; cuts.push(at)) at = Math.min(count, at + (begun[cuts.length - 1] ?? pageSize));
  if (cuts.length - 1 > MAX_PAGES) throw tooManyPages(name);
  return cuts;
}

/** Only the end of a page says where the next one begins. */
async function mapCursor(map: MapPlan, runPage: RunPage): Promise<MapResult<unknown>> {
  const { name, concurrency } = map;
  const pages: PageOutput[] = [];
  let cursor: unknown;
  let first = 0;
  do {
    if (pages.length === MAX_PAGES) throw tooManyPages(name);
    const page = await runPage({ map: name, page: pages.length + 1, first, concurrency, cursor });
    if (!page) throw skippedCursor(name, pages.length + 1);
    pages.push(page);
    first += page.done + page.failed;
    cursor = page.next;
  } while (cursor !== null);
  return resultOf(map, pages);
}
