import { createSerializer, parseAsArrayOf, parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { runUrl } from "@/components/domain/run-filter/run-url";
import type { EffectFilter } from "@/lib/api/contract/effects";
import { EFFECT_VERDICTS } from "@/lib/engine/steps/effect-verdict";
import { type RunUrlFilter, toRunFilter } from "@/lib/filters/run-filter";

const { run: _, ...runFilters } = runUrl;

/** The URL parameters of the ledger: the filters of the runs list, and those of their effects. */
export const effectUrl = {
  ...runFilters,
  step: parseAsString.withDefault(""),
  verdict: parseAsArrayOf(parseAsStringLiteral(EFFECT_VERDICTS)).withDefault([]),
  since: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
};

export interface EffectUrlFilter extends Omit<RunUrlFilter, "step" | "since" | "until"> {
  step: string;
  verdict: NonNullable<EffectFilter["verdict"]>;
  since: Date | null;
  until: Date | null;
}

/** As the API accepts it: empty parameters are left out, so that equal filters share one query. */
export function toEffectFilter({ step, verdict, since, until, ...runs }: EffectUrlFilter): EffectFilter {
  const { step: _, ...found } = toRunFilter(runs);
  return {
    ...found,
    ...(step.trim() !== "" && { step: step.trim() }),
    ...(verdict.length > 0 && { verdict }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
  };
}

const address = createSerializer(effectUrl);

/** The ledger of the runs in a list; the start times of runs do not filter their effects. */
export const effectsHref = ({ step, since: _since, until: _until, ...runs }: RunUrlFilter): string => {
  const known = Object.fromEntries(Object.entries(runs).filter(([name]) => name in runFilters));
  return address("/effects", { ...known, q: runs.q.trim(), step: step?.[0] ?? "" });
};
