import { counter, type Family, single } from "../../operator/metrics/family";
import type { Server } from "../../server";

/** What this process knows of the standby that it reads from; nothing without one. */
export async function standbyFamilies(standby: Server["standby"]): Promise<Family[]> {
  if (standby === null) return [];
  const { lagMs } = await standby.health();
  const reads = Object.entries(standby.reads).map(([place, value]) => ({ value, labels: { place } }));
  return [
    single(
      "handrail_standby_lag_seconds",
      "How far the standby that the console reads from is behind; absent while it does not answer or is none",
      lagMs === null ? null : lagMs / 1_000,
    ),
    counter("handrail_reads_total", "Requests that may read from the standby, by the place that answered", reads),
  ];
}
