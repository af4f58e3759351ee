import {
  type inferParserType,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
} from "nuqs/server";
import type { LogFilter } from "@/lib/api/contract/log";
import { LOG_LEVELS } from "@/lib/engine/runs/log";

/** The parameters of the page of logs. */
export const logUrl = {
  q: parseAsString.withDefault(""),
  level: parseAsStringLiteral(LOG_LEVELS),
  workflow: parseAsArrayOf(parseAsString).withDefault([]),
  step: parseAsString.withDefault(""),
  after: parseAsIsoDateTime,
  before: parseAsIsoDateTime,
  /** New lines are shown as they come. */
  follow: parseAsBoolean.withDefault(false),
};

export type LogUrl = inferParserType<typeof logUrl>;

/** As the API accepts it: empty parameters are left out, so that equal filters share one query. */
export const toLogFilter = ({ q, level, workflow, step, after, before }: LogUrl): LogFilter => ({
  ...(q.trim() !== "" && { q: q.trim() }),
  ...(level && { level }),
  ...(workflow.length > 0 && { workflow }),
  ...(step.trim() !== "" && { step: step.trim() }),
  ...(after && { after: after.toISOString() }),
  ...(before && { before: before.toISOString() }),
});
