import { appServices } from "../../../demo/services/app-services";
import { openApp } from "../../app";
import type { BlobStore } from "../../engine/values/blob-store";
import type { Workflow } from "../../engine/workflows/workflow";
import { createLogger } from "../../log";
import { type DriveOptions, type DriveReport, drive } from "../../worker/loop/drive";
import { openWorkerPools } from "../../worker/loop/worker-pools";
import { TEST_AUDIT_KEYS } from "../audit-keys";
import type { TestDatabase } from "../database/database";

type DriveSetup = Partial<
  Pick<DriveOptions, "maxMs" | "leaseMs" | "schedules" | "keepMs" | "deletes" | "signal" | "concurrency">
> & { blobs?: BlobStore };

/** One drive on separate connections. Default: 10 s, with a lease of 10 s. */
export async function aDrive(
  { url }: Pick<TestDatabase, "url">,
  workflows: readonly Workflow[],
  { blobs, ...setup }: DriveSetup = {},
): Promise<DriveReport> {
  const pools = { databaseUrl: url, name: "test drive", leaseMs: 10_000, engine: 4, app: 4 };
  const { appPool, end, ...connected } = openWorkerPools(pools);
  try {
    return await drive({
      ...connected,
      directUrl: url,
      workflows,
      auditKeys: TEST_AUDIT_KEYS,
      app: openApp({ services: appServices, ...(blobs && { blobs }) }, appPool),
      concurrency: 50,
      leaseMs: 10_000,
      name: "test drive",
      log: createLogger("drive", "silent"),
      maxMs: 10_000,
      ...setup,
    });
  } finally {
    await end();
  }
}
