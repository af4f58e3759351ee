import { createLoader, createSerializer, type inferParserType } from "nuqs/server";
import { runUrl } from "@/components/domain/run-filter/run-url";
import type { ViewState } from "@/lib/engine/runs/saved-view";

/*
 * A view is the URL of the runs page without the selected run: filters, columns, order. It is stored as the URL is
 * written, so that later parameters are stored with it.
 */
const { run: _run, view: _view, ...kept } = runUrl;

const write = createSerializer(kept);
const read = createLoader(kept);

type Kept = inferParserType<typeof kept>;

/** What of the address a view keeps. */
export const stateOf = (url: Kept): ViewState => {
  const parts = Object.fromEntries(Object.keys(kept).map((key) => [key, url[key as keyof Kept]])) as Kept;
  return Object.fromEntries(new URLSearchParams(write(parts)));
};

/** The address of a view: what it does not name is as usual. */
export const urlOf = (state: ViewState) => read(new URLSearchParams(state));

/** Whether two show the same, also where one was kept by an older console. */
export const isSameState = (one: ViewState, other: ViewState) => canonical(one) === canonical(other);

const canonical = (state: ViewState) => JSON.stringify(Object.entries(stateOf(urlOf(state))).sort());

export const isEmptyState = (state: ViewState) => Object.keys(state).length === 0;
