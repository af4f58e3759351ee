"use client";

import { createLoader, createSerializer, type inferParserType } from "nuqs/server";
import { useEffect, useRef } from "react";
import { runUrl } from "@/components/domain/run-filter/run-url";
import type { SavedView } from "@/lib/api/contract/views";
import { useSavedViews } from "@/lib/api/hooks/view-hooks";
import type { ViewState } from "@/lib/engine/runs/saved-view";
import type { RunUrl } from "../address/use-run-url";
import { ALL_RUNS, USUAL_VIEWS, type UsualView } from "./usual-views";

export type View = UsualView | SavedView;

export const isSaved = (view: View): view is SavedView => "revision" in view;

const NONE: readonly SavedView[] = [];

/** The views there are, the one that was chosen, and whether what is shown differs from it. */
export function useViews({ url, setUrl }: Pick<RunUrl, "url" | "setUrl">) {
  const saved = useSavedViews().data?.views ?? NONE;
  const chosen = [...USUAL_VIEWS, ...saved].find(({ id }) => id === url.view);
  const current: View = chosen ?? ALL_RUNS;
  const state = stateOf(url);
  const show = (view: View) =>
    void setUrl(
      { ...urlOf(view.state), run: null, view: view.id === ALL_RUNS.id ? null : view.id },
      { history: "push" },
    );
  useShortLink(url.view, state, chosen, () => chosen && void setUrl(urlOf(chosen.state)));
  return { saved, current, state, changed: !isSameState(state, current.state), show };
}

/** An address that names a view and nothing else shows the view, as soon as it is known. */
function useShortLink(asked: string | null, state: ViewState, view: View | undefined, show: () => void) {
  const waiting = useRef(asked !== null && isEmptyState(state));
  useEffect(() => {
    if (!waiting.current || !view) return;
    waiting.current = false;
    show();
  });
}

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

const isEmptyState = (state: ViewState) => Object.keys(state).length === 0;
