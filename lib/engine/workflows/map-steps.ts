import type { StepBody, StepOptions } from "./step-options";

/** One page of items, and the cursor of the next one; null or undefined after the last. */
export interface ItemPage<Item, Cursor> {
  items: readonly Item[];
  next?: Cursor | null | undefined;
}

/** All items; or a function that reads the page at a cursor, undefined for the first. It runs in a step of its page. */
export type MapItems<Item, Cursor> =
  | readonly Item[]
  | ((cursor: Cursor | undefined) => ItemPage<Item, Cursor> | Promise<ItemPage<Item, Cursor>>);

export interface MapOptions<Item, Output, Part>
  extends Pick<StepOptions<Output>, "effect" | "retry" | "timeoutMs" | "limit" | "reference" | "reconcile"> {
  /** Bodies that run at the same time, 1 to 500. Default 10. */
  concurrency?: number;
  /** Items of one page, 1 to 500. Default 500. A function gives as many as it likes, up to 500. */
  pageSize?: number;
  /** What an item is known by: its step is `name:key`. Default: its index. */
  key?: (item: Item) => string;
  /**
   * What an item's failure does: `"stop"` begins no further item and fails the map (default); `"collect"` goes on and counts it; `"wait"`
   * lets this run wait until a person has repaired the page.
   */
  onError?: "stop" | "collect" | "wait";
  /** Makes one value of the outputs of a page, in the order of its items. Must be deterministic. */
  reduce?: (outputs: Output[]) => Part;
}

export interface MapResult<Part> {
  /** Items whose steps completed. */
  done: number;
  /** Items whose steps failed; 0 unless `onError` is `"collect"`. */
  failed: number;
  /** What `reduce` made of each page, in their order; empty without it. */
  parts: Part[];
}

/** The part of `Context` for many items. */
export interface MapsSteps {
  /**
   * Runs `body` for each item, as a step in a page of up to 500 items; each page is a child run. The worker holds one page at a time in
   * memory, however many there are.
   * @throws HandrailError `child_failed` for a page with a failed item, unless `onError` says otherwise; `invalid_value` for wrong options,
   * a page that is none, and keys that are not unique
   */
  mapSteps<Item, Output, Part = never, Cursor = unknown>(
    items: MapItems<Item, Cursor>,
    name: string,
    body: (item: Item, body: StepBody) => Output | Promise<Output>,
    options?: MapOptions<Item, Output, Part>,
  ): Promise<MapResult<Part>>;
}
