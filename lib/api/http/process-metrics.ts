import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { registryOf } from "../../operator/metrics/exposition";
import type { Family } from "../../operator/metrics/family";

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10];

/** What this process knows of itself: its memory, processor time and event loop, and what it answered. */
class ProcessMetrics {
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: "handrail_http_request_duration_seconds",
    help: "Answers of the API by route, as its document names it; of a stream, until it began",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly streams = new Gauge({
    name: "handrail_streams_open",
    help: "Streams of changes that browsers and programs hold open",
    registers: [this.registry],
  });
  private readonly reachable = new Gauge({
    name: "handrail_database_reachable",
    help: "1: the database answered this scrape; 0: it did not, and what only it knows is absent",
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  answered(method: string, route: string, status: number, ms: number): void {
    this.requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / 1_000);
  }

  /**
   * In Prometheus' text format.
   * @param families what the database knows; null: it did not answer
   * @param streams open ones
   * @param ofProcess what this process counts elsewhere, also while the database does not answer
   */
  async exposition(
    families: readonly Family[] | null,
    streams: number,
    ofProcess: readonly Family[] = [],
  ): Promise<{ contentType: string; text: string }> {
    this.reachable.set(families === null ? 0 : 1);
    this.streams.set(streams);
    const known = registryOf([...(families ?? []), ...ofProcess]);
    const { contentType } = this.registry;
    return { contentType, text: await Registry.merge([known, this.registry]).metrics() };
  }
}

/** On globalThis: Next bundles routes and pages separately, but the process is one. */
const shared = globalThis as { handrailMetrics?: ProcessMetrics };

export function processMetrics(): ProcessMetrics {
  shared.handrailMetrics ??= new ProcessMetrics();
  return shared.handrailMetrics;
}
