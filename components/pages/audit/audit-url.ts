import { parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { AuditFilter } from "@/lib/api/contract/audit";

const RESULT_CHOICES = ["done", "refused"] as const;

/** The URL parameters of the audit page. */
export const auditUrl = {
  actor: parseAsString.withDefault(""),
  act: parseAsString.withDefault(""),
  run: parseAsString.withDefault(""),
  workflow: parseAsString.withDefault(""),
  result: parseAsStringLiteral(RESULT_CHOICES),
  since: parseAsIsoDateTime,
  until: parseAsIsoDateTime,
};

export interface AuditUrl {
  actor: string;
  act: string;
  run: string;
  workflow: string;
  result: (typeof RESULT_CHOICES)[number] | null;
  since: Date | null;
  until: Date | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** As the API accepts it; empty or incomplete parameters are left out. */
export function toAuditFilter({ actor, act, run, workflow, result, since, until }: AuditUrl): AuditFilter {
  return {
    ...(actor.trim() !== "" && { actor: actor.trim() }),
    ...(act !== "" && { act }),
    ...(UUID.test(run.trim()) && { runId: run.trim() }),
    ...(workflow !== "" && { workflow }),
    ...(result && { result: result === "done" ? ["done"] : ["denied", "failed"] }),
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
  };
}
