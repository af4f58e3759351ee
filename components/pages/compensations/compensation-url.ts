import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { CompensationFilter } from "@/lib/api/contract/requests";
import { COMPENSATION_LANES } from "@/lib/engine/compensations/compensation-board";

/** The URL parameters of the board. */
export const compensationUrl = {
  lane: parseAsStringLiteral(COMPENSATION_LANES),
  workflow: parseAsString.withDefault(""),
  /** A name; `nobody` for unassigned compensations. */
  who: parseAsString.withDefault(""),
};

export interface CompensationUrl {
  lane: CompensationFilter["lane"] | null;
  workflow: string;
  who: string;
}

export const NOBODY = "nobody";

/** As the API accepts it: empty parameters are left out, so that equal filters share one query. */
export function toCompensationFilter({ lane, workflow, who }: CompensationUrl): CompensationFilter {
  return {
    ...(lane && { lane }),
    ...(workflow.trim() !== "" && { workflow: [workflow.trim()] }),
    ...(who === NOBODY ? { free: "true" as const } : who.trim() !== "" && { assignee: who.trim() }),
  };
}
