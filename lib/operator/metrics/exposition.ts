import { type Metric, Registry } from "prom-client";
import type { Family } from "./family";

/** For Prometheus' text format. prom-client asks a metric for its values; these are read already. */
export function registryOf(families: readonly Family[]): Registry {
  const registry = new Registry();
  for (const family of families)
    registry.registerMetric({ name: family.name, get: async () => family } as unknown as Metric);
  return registry;
}
