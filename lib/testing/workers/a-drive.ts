import { appServices } from "../../../demo/services/app-services";
import { pgTransactions } from "../../adapters/pg";
import type { Workflow } from "../../engine/workflows/workflow";
import { createLogger } from "../../log";
import { createPool } from "../../store/database/pools";
import { type DriveOptions, type DriveReport, drive } from "../../worker/loop/drive";
import { BEATS_AT_ONCE } from "../../worker/loop/heartbeat";
import { TEST_AUDIT_KEYS } from "../audit-keys";
import type { TestDatabase } from "../database/database";

type DriveSetup = Partial<
  Pick<DriveOptions, "maxMs" | "leaseMs" | "schedules" | "keepMs" | "deletes" | "signal" | "concurrency">
>;

/** One drive on separate connections. Default: 10 s, with a lease of 10 s. */
export async function aDrive(
  { url }: Pick<TestDatabase, "url">,
  workflows: readonly Workflow[],
  setup: DriveSetup = {},
): Promise<DriveReport> {
  const limits = { databaseUrl: url, statementTimeoutMs: 30_000, idleInTransactionMs: 10_000 };
  const pool = createPool({ ...limits, name: "test drive", max: 4, onePlan: true });
  const appPool = createPool({ ...limits, name: "test drive app", max: 4 });
  const heartbeatPool = createPool({ ...limits, name: "test drive heartbeat", max: BEATS_AT_ONCE });
  const pg = pgTransactions(appPool);
  try {
    return await drive({
      directUrl: url,
      pool,
      heartbeatPool,
      workflows,
      auditKeys: TEST_AUDIT_KEYS,
      app: { transactions: { app: pg as never, pg }, services: appServices },
      concurrency: 50,
      leaseMs: 10_000,
      name: "test drive",
      log: createLogger("drive", "silent"),
      maxMs: 10_000,
      ...setup,
    });
  } finally {
    await Promise.all([pool.end(), appPool.end(), heartbeatPool.end()]);
  }
}
