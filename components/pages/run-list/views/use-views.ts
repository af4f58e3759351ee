"use client";

import { useEffect, useRef } from "react";
import type { SavedView } from "@/lib/api/contract/views";
import { useSavedViews } from "@/lib/api/hooks/view-hooks";
import type { ViewState } from "@/lib/engine/runs/saved-view";
import type { RunUrl } from "../address/use-run-url";
import { ALL_RUNS, USUAL_VIEWS, type UsualView } from "./usual-views";
import { isEmptyState, isSameState, stateOf, urlOf } from "./view-state";

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
