import { defineAlerts } from "../../lib/engine/alerts/alert-rule";

/**
 * What pages the demo's team. It replaces the rule `failing` that is there from the start: an outage of minutes fires it, and it
 * resolves as soon as the failed runs have come through a rerun.
 */
export const alerts = defineAlerts([
  {
    name: "failing",
    kind: "failure_ratio",
    threshold: 0.5,
    resolveThreshold: 0.45,
    forMs: 30_000,
    resolveForMs: 30_000,
  },
]);
