import { parseAsArrayOf, parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { EffectFilter } from "@/lib/api/contract/effects";
import { EFFECT_VERDICTS } from "@/lib/engine/effect-verdict";
import { type RunUrlFilter, runUrl, toRunFilter } from "../runs/run-url";

const { run: _, ...runFilters } = runUrl;

/** What the address of the ledger holds: the filters of the runs list, and those of their effects. */
export const effectUrl = {
  ...runFilters,
  step: parseAsString.withDefault(""),
  verdict: parseAsArrayOf(parseAsStringLiteral(EFFECT_VERDICTS)).withDefault([]),
  since: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
};

export interface EffectUrlFilter extends RunUrlFilter {
  step: string;
  verdict: NonNullable<EffectFilter["verdict"]>;
  since: Date | null;
  until: Date | null;
}

/** As the API takes it: what is empty is left out, so that equal filters are one query. */
export function toEffectFilter({ step, verdict, since, until, ...runs }: EffectUrlFilter): EffectFilter {
  return {
    ...toRunFilter(runs),
    ...(step.trim() !== "" && { step: step.trim() }),
    ...(verdict.length > 0 && { verdict }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
  };
}

/** The ledger of what a list of runs shows. */
export const effectsHref = ({ q, status, attention, workflow, problem }: RunUrlFilter) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ q, status, attention, workflow, problem: problem ?? "" })) {
    const text = typeof value === "string" ? value.trim() : value.join(",");
    if (text !== "") query.set(name, text);
  }
  return `/effects${query.size > 0 ? `?${query}` : ""}`;
};
