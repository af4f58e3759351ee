import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { registryOf } from "../../lib/operator/metrics/exposition";
import type { Family } from "../../lib/operator/metrics/family";
import { readMetrics } from "../../lib/operator/metrics/read-metrics";
import { StartError } from "../start-error";
import type { Home } from "./home";
import { withDatabase } from "./with-database";

/**
 * What the database knows of its runs and workers. Read-only.
 * @param only workflows to show one by one; null: the first 300
 */
export const metricsOf = (home: Home, only: readonly string[] | null): Promise<Family[]> =>
  withDatabase(home, "metrics", (db) => readMetrics(db, only, PATIENCE_MS));

/** The counts of a month: a few seconds for 300 workflows, on a busy database more. */
const PATIENCE_MS = 60_000;

/** In Prometheus' text format. */
export const expositionText = (families: readonly Family[]): Promise<string> => registryOf(families).metrics();

/** The whole file or none of it: a collector may read it at any moment. @throws StartError where it cannot be written */
export async function replaceFile(file: string, text: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await writeFile(aside, text, { mode: 0o644 });
    await rename(aside, file);
  } catch (error) {
    await rm(aside, { force: true });
    throw new StartError(`${file} cannot be written: ${(error as Error).message}.`);
  }
}
