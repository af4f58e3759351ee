"use client";

import { useQueryStates } from "nuqs";
import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { useMemo } from "react";
import { PHONE, useMediaQuery } from "@/components/ui/hooks/use-media-query";
import { useStable } from "@/components/ui/hooks/use-stable";
import type { Run } from "@/lib/api/contract/run";
import { STEP_STATUSES, type StepStatus } from "@/lib/engine/steps/step";
import type { Interval } from "../lanes/time-scale";
import { LAYERS, type Layer } from "../layers/layer";

const RUN_VIEWS = ["timeline", "steps"] as const;

/** What the address of a run's page holds of its timeline and its list of steps. Times are milliseconds since the run was created. */
const timelineUrl = {
  /** Without it, the one that fits the screen. */
  view: parseAsStringLiteral(RUN_VIEWS),
  axis: parseAsStringLiteral(["elapsed", "clock"]).withDefault("elapsed"),
  /** The window of time that is looked at; without it, each lane whole. */
  from: parseAsInteger,
  to: parseAsInteger,
  /** Where the idle stretches begin that are drawn at their length. */
  unfold: parseAsArrayOf(parseAsInteger).withDefault([]),
  lanes: parseAsArrayOf(parseAsString).withDefault([]),
  loops: parseAsArrayOf(parseAsString).withDefault([]),
  /** Ids of child runs whose steps are shown under the step that started them. */
  children: parseAsArrayOf(parseAsString).withDefault([]),
  /** Of those, the long ones that are shown with all of their steps. */
  whole: parseAsArrayOf(parseAsString).withDefault([]),
  find: parseAsString.withDefault(""),
  only: parseAsArrayOf(parseAsStringLiteral(STEP_STATUSES)).withDefault([]),
  sort: parseAsStringLiteral(["order", "duration"]).withDefault("order"),
  /** The moment of the run's history that is shown; without it, now. */
  at: parseAsInteger,
  /** What is drawn beside the steps. */
  overlays: parseAsArrayOf(parseAsStringLiteral(LAYERS)).withDefault(["usual"]),
};

/** Open at once: each is read. */
const MOST_CHILDREN = 20;

export type TimelineView = ReturnType<typeof useTimelineView>;

/** What of a run's time and steps is looked at, as the address says; instants are absolute here. */
export function useTimelineView({ createdAt }: Pick<Run, "createdAt">) {
  const [url, setUrl] = useQueryStates(timelineUrl, { history: "replace" });
  const phone = useMediaQuery(PHONE);
  const base = Date.parse(createdAt);
  const { from, to, unfold } = url;
  const window = useMemo(
    () => (from === null || to === null || to <= from ? null : { from: base + from, to: base + to }),
    [base, from, to],
  );
  const unfolded = useMemo(() => new Set(unfold.map((at) => base + at)), [base, unfold]);
  const children = useMemo(() => url.children.slice(0, MOST_CHILDREN), [url.children]);
  const change = useStable(setUrl);
  // Stable until something of it changes: rows are not computed again with every render.
  return useMemo(
    () => ({
      ...url,
      children,
      view: url.view ?? (phone ? ("steps" as const) : ("timeline" as const)),
      window,
      unfolded,
      setView: (view: typeof url.view) => void change({ view }),
      setAxis: (axis: typeof url.axis) => void change({ axis }),
      setFind: (find: string) => void change({ find }),
      setSort: (sort: typeof url.sort) => void change({ sort }),
      setWindow: (next: Interval | null) => void change({ from: next && next.from - base, to: next && next.to - base }),
      setAt: (at: number | null) => void change({ at }),
      toggleOverlay: (layer: Layer) => void change({ overlays: without(url.overlays, layer) }),
      toggleOnly: (status: StepStatus) => void change({ only: without(url.only, status) }),
      toggleLane: (key: string) => void change({ lanes: without(url.lanes, key) }),
      toggleLoop: (key: string) => void change({ loops: without(url.loops, key) }),
      toggleChild: (runId: string) =>
        void change({ children: without(url.children, runId), whole: url.whole.filter((open) => open !== runId) }),
      toggleWhole: (runId: string) => void change({ whole: without(url.whole, runId) }),
      toggleFold: (at: number) => void change({ unfold: without(url.unfold, at - base) }),
      showAll: () => void change({ find: null, only: null, from: null, to: null }),
    }),
    [url, children, phone, window, unfolded, base, change],
  );
}

/** The list with or without it, whichever it was not. */
const without = <Value>(list: readonly Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value];
