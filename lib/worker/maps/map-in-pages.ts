import type { MapResult } from "../../engine/workflows/map-steps";
import { inLanes } from "./lanes";
import { MAX_PAGES, type MapPlan, tooManyPages } from "./map-plan";

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

/** Runs one page as a child, to its end. */
type RunPage = (input: PageInput) => Promise<PageOutput>;

/** The parent's part of a map: it knows pages and counts alone. */
export function mapInPages(
  map: MapPlan,
  runPage: RunPage,
  progress: (done: number, total: number) => void,
): Promise<MapResult<unknown>> {
  return typeof map.items === "function" ? mapCursor(map, runPage) : mapArray(map, map.items, runPage, progress);
}

const resultOf = (map: MapPlan, pages: readonly PageOutput[]): MapResult<unknown> => ({
  done: pages.reduce((sum, { done }) => sum + done, 0),
  failed: pages.reduce((sum, { failed }) => sum + failed, 0),
  parts: map.reduce ? pages.map(({ part }) => part) : [],
});

async function mapArray(
  map: MapPlan,
  items: readonly unknown[],
  runPage: RunPage,
  progress: (done: number, total: number) => void,
): Promise<MapResult<unknown>> {
  const { name, pageSize, pagesAtOnce, concurrency } = map;
  const pages: PageOutput[] = [];
  let ended = 0;
  await inLanes(Math.ceil(items.length / pageSize), pagesAtOnce, async (index) => {
    const first = index * pageSize;
    const some = items.slice(first, first + pageSize);
    pages[index] = await runPage({ map: name, page: index + 1, first, concurrency, items: some });
    ended += some.length;
    progress(ended, items.length);
  });
  return resultOf(map, pages);
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
    pages.push(page);
    first += page.done + page.failed;
    cursor = page.next;
  } while (cursor !== null);
  return resultOf(map, pages);
}
