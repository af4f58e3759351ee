import type { Db } from "../../store/db";
import { listProbes, type ProbeRow } from "../../store/problems/probes";
import { asInstant, asInstantOrNull } from "../values";

/** Null: the problem was never probed. */
export async function latestProbe(db: Db, problemId: string) {
  const [row] = await listProbes(db, problemId, 1);
  return row ? probeView(row) : null;
}

export const NOT_DRIVEN = "The probe's own run ended early. Probe again to go on.";

/** A probe whose own run has ended drives nothing any more, whatever its row says. */
export function probeView({ id, by, reason, most_tries, driven, tries, ...row }: ProbeRow) {
  const isStranded = row.status === "running" && !driven;
  return {
    id,
    status: isStranded ? ("stopped" as const) : row.status,
    because: isStranded ? NOT_DRIVEN : row.because,
    startedBy: by.name,
    reason,
    mostTries: most_tries,
    nextAt: asInstantOrNull(row.next_at),
    startedAt: asInstant(row.started_at),
    endedAt: asInstantOrNull(row.ended_at),
    tries: tries.map((tried) => ({ ...tried, at: asInstant(tried.at), endedAt: asInstantOrNull(tried.endedAt) })),
  };
}
