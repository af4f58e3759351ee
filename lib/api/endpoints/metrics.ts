import { z } from "zod";
import { within } from "../../operator/health/database-pulse";
import { readMetrics } from "../../operator/metrics/read-metrics";
import { serverLog } from "../../server";
import { list, plainText } from "../contract/requests";
import { endpoint } from "../endpoint";
import { processMetrics } from "../http/process-metrics";
import { standbyFamilies } from "../http/standby-metrics";

/** Prometheus gives up after ten seconds; what the process knows of itself is worth more than nothing. */
const PATIENCE_MS = 4_000;
/** Of it, what the counts of a month may take: the first scrape after a start may be without them. */
const COUNTS_PATIENCE_MS = 2_000;

export const getMetrics = endpoint(
  {
    method: "GET",
    path: "/v1/metrics",
    action: "metrics.read",
    summary: "Metrics in the text format of Prometheus; also at /metrics, where it looks",
    query: z.strictObject({ workflow: list(plainText.min(1).max(200)).optional() }),
    answer: z.string(),
    statuses: { 200: "Metrics; while the database does not answer, those of this process alone" },
    contentType: "text/plain",
  },
  async ({ query, server }) => {
    const read = readMetrics(server.db, query.workflow ?? null, COUNTS_PATIENCE_MS).catch((error: unknown) => {
      serverLog().warn({ err: error }, "could not read metrics from the database");
      return null;
    });
    const [families, standby] = await Promise.all([within(read, PATIENCE_MS, null), standbyFamilies(server.standby)]);
    const { contentType, text } = await processMetrics().exposition(families, server.feed.size, standby);
    return new Response(text, { headers: { "content-type": contentType } });
  },
);
