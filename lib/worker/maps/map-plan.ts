import { HandrailError } from "../../engine/errors";
import { checkIsFunction } from "../../engine/workflows/given-code";
import type { ItemPage, MapItems, MapOptions } from "../../engine/workflows/map-steps";
import type { StepBody, StepOptions } from "../../engine/workflows/step-options";

/** Items of a page: their steps are read with each claim of it. */
const MAX_PAGE = 500;
const MAX_CONCURRENCY = 500;
/** Pages of one map: their steps are read with each claim of the parent. */
export const MAX_PAGES = 10_000;
/** Beyond this many bodies at a time, more than one page is under way, so that other workers help. */
const PER_PAGE = 50;

/** A call of `ctx.mapSteps`, checked and with every default filled in. */
export interface MapPlan {
  name: string;
  items: MapItems<unknown, unknown>;
  body: (item: unknown, body: StepBody) => unknown;
  /** Of each item's step. */
  step: StepOptions<unknown>;
  pageSize: number;
  /** Pages at a time, and bodies of each. */
  pagesAtOnce: number;
  concurrency: number;
  keyOf: (item: unknown, index: number) => string;
  onError: "stop" | "collect" | "wait";
  reduce: ((outputs: unknown[]) => unknown) | undefined;
}

const OPTIONS = new Set([
  ...["effect", "retry", "timeoutMs", "limit", "reference", "reconcile"],
  ...["concurrency", "pageSize", "key", "onError", "reduce"],
]);

/** @throws HandrailError `invalid_workflow` or `invalid_value`, before anything is written */
export function planMap(
  items: MapItems<unknown, unknown>,
  name: string,
  body: MapPlan["body"],
  options: MapOptions<unknown, never, unknown> = {},
): MapPlan {
  checkIsFunction(body, `The body of mapSteps "${name}"`);
  if (!Array.isArray(items)) checkIsFunction(items, `The items of mapSteps "${name}", if they are no array,`);
  const unknown = Object.keys(options).filter((option) => !OPTIONS.has(option));
  if (unknown.length > 0)
    throw new HandrailError(
      "invalid_workflow",
      `mapSteps "${name}" takes no option "${unknown[0]}". Items have no compensation: undo them by another map.`,
    );
  const { concurrency = 10, pageSize = MAX_PAGE, key, onError = "stop", reduce, ...step } = options;
  checkCount(name, "concurrency", concurrency, MAX_CONCURRENCY);
  checkCount(name, "pageSize", pageSize, MAX_PAGE);
  if (!["stop", "collect", "wait"].includes(onError)) throw wrong(name, `onError is "stop", "collect" or "wait".`);
  const pages = Array.isArray(items) ? Math.ceil(items.length / pageSize) : 1;
  if (pages > MAX_PAGES) throw tooManyPages(name);
  const pagesAtOnce = Math.max(1, Math.min(pages, Math.ceil(concurrency / PER_PAGE)));
  const keyOf = (item: unknown, index: number) => (key ? key(item) : String(index));
  if (Array.isArray(items) && key) checkUnique(name, items, keyOf);
  return {
    ...{ name, items, body, pageSize, pagesAtOnce, keyOf, onError },
    step: step as StepOptions<unknown>,
    concurrency: Math.floor(concurrency / pagesAtOnce),
    reduce: reduce as MapPlan["reduce"],
  };
}

const wrong = (name: string, what: string) => new HandrailError("invalid_value", `mapSteps "${name}": ${what}`);

export const tooManyPages = (name: string) => wrong(name, `one map has ${MAX_PAGES} pages at most.`);

export const skippedCursor = (name: string, page: number) =>
  wrong(
    name,
    `page ${page} was skipped, and its end alone says where the next one begins. Rerun from ${name}:page-${page}, and repair the page instead.`,
  );

function checkCount(name: string, option: string, given: number, max: number): void {
  if (!Number.isInteger(given) || given < 1 || given > max)
    throw wrong(name, `${option} is a whole number from 1 to ${max}.`);
}

/** Two items of one key in two pages would not meet as two steps of one name do. */
function checkUnique(name: string, items: readonly unknown[], keyOf: MapPlan["keyOf"]): void {
  const met = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item, index);
    if (met.has(key)) throw wrong(name, `two items have the key "${String(key).slice(0, 100)}". Keys must be unique.`);
    met.add(key);
  }
}

/** What the author's function gave as a page. @throws HandrailError `invalid_value` */
export function checkedPage(name: string, given: ItemPage<unknown, unknown>): ItemPage<unknown, unknown> {
  if (!Array.isArray(given?.items)) throw wrong(name, "its items function must give { items, next }.");
  if (given.items.length > MAX_PAGE)
    throw wrong(name, `a page has ${MAX_PAGE} items at most; its function gave ${given.items.length}.`);
  return { items: given.items, next: given.next ?? null };
}
