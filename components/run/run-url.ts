import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";

export const RUN_TABS = ["timeline", "graph", "effects", "children", "events", "logs", "audit", "raw"] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** What the address of a run's page holds: the tab, and the step in the inspector. */
export const runPageUrl = {
  tab: parseAsStringLiteral(RUN_TABS).withDefault("timeline"),
  step: parseAsString,
  /** Of the step's record; without it, the one that stands. */
  generation: parseAsInteger,
  /** What is looked for in the raw run. */
  find: parseAsString.withDefault(""),
  /** Without it: drawn, or in words where the screen is narrow. */
  graph: parseAsStringLiteral(["drawn", "list"] as const),
};
