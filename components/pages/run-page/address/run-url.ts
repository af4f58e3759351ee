import { parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { RUN_STATUSES } from "@/lib/engine/runs/run";

const RUN_TABS = ["timeline", "graph", "effects", "children", "events", "logs", "trace", "audit", "raw"] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** What the address of a run's page holds: the tab, the step in the inspector, and what of them is pointed at. */
export const runPageUrl = {
  tab: parseAsStringLiteral(RUN_TABS).withDefault("timeline"),
  step: parseAsString,
  /** Of the step's record; without it, the current one. */
  generation: parseAsInteger,
  /** Of the step, in the inspector. */
  attempt: parseAsInteger,
  /** The line of the log that is in sight, by its id. */
  line: parseAsString,
  /** The span that is open, by its id. */
  span: parseAsString,
  /** The search in the log, or in the raw run. */
  find: parseAsString.withDefault(""),
  /** Whether the log is followed to its end. */
  follow: parseAsBoolean.withDefault(false),
  /** Of the children that are shown. */
  children: parseAsStringLiteral(RUN_STATUSES),
  /** Without it: drawn, or in words where the screen is narrow. */
  graph: parseAsStringLiteral(["drawn", "list"] as const),
};
