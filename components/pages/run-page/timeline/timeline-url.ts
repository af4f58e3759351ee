import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { STEP_STATUSES } from "@/lib/engine/steps/step";

const RUN_VIEWS = ["timeline", "steps"] as const;

/** What the address of a run's page holds of its timeline and its list of steps. Times are milliseconds since the run was created. */
export const timelineUrl = {
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
};
