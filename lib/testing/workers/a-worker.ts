import { openApp } from "../../app";
import { prepareStart, type StartOptions } from "../../engine/runs/start";
import type { BlobStore } from "../../engine/values/blob-store";
import type { AppServices, Workflow } from "../../engine/workflows/workflow";
import { sendWork } from "../../store/database/notify";
import type { Db } from "../../store/db";
import { insertRunOnce } from "../../store/runs/start-run";
import {
  type WorkerSetup as AnyWorkerSetup,
  startWorker as startAnyWorker,
  type TestWorker,
} from "../../testkit/start-worker";
import type { TestDatabase } from "../database/database";
import sampleApp from "../sample-app";

export type { TestWorker };

export interface WorkerSetup extends AnyWorkerSetup {
  /** Default: those of the sample workflows. */
  services?: Partial<AppServices>;
  /** Default: none. */
  blobs?: BlobStore;
}

/** A real worker in this process, with what the sample workflows need. */
export function startWorker(
  { url }: Pick<TestDatabase, "url">,
  workflows: readonly Workflow[],
  { services = sampleApp.services, blobs, ...setup }: WorkerSetup = {},
): Promise<TestWorker> {
  return startAnyWorker(
    url,
    workflows,
    (pool) => openApp({ ...sampleApp, services, ...(blobs && { blobs }) }, pool),
    setup,
  );
}

/** Starts a run as an app does, with a note to workers; returns its id. */
export async function start(db: Db, ...given: Started): Promise<string> {
  const id = await startUntold(db, ...given);
  await sendWork(db);
  return id;
}

/** The same without a note, as when it got lost. */
export async function startUntold(db: Db, ...[workflow, input = {}, options]: Started): Promise<string> {
  return (await insertRunOnce(db, await prepareStart(workflow, input, options))).id;
}

type Started = [workflow: Workflow, input?: unknown, options?: StartOptions];
