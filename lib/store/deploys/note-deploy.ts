import { isReserved } from "../../engine/workflows/own-workflows";
import { versionsByName } from "../../engine/workflows/workflow-versions";
import type { Db } from "../db";
import type { VersionOfWorkflow } from "../workers/workers";
import { hasOtherVersions, keepDeploy } from "./deploys";

/**
 * Marks the deploy that a registration shows: a build that no live worker has, or versions that no worker had before.
 * In the transaction that registers these versions, so that a mark is neither lost nor made twice. The first
 * workflows of an installation alone are no deploy.
 * @param registered versions that nobody had registered before
 */
export async function noteDeploy(
  tx: Db,
  registered: readonly VersionOfWorkflow[],
  build: string | null,
): Promise<void> {
  const fresh = registered.filter(({ name }) => !isReserved(name));
  const versions = fresh.length > 0 && (await hasOtherVersions(tx, fresh)) ? versionsByName(fresh) : {};
  if (build === null && Object.keys(versions).length === 0) return;
  const nameless = { version: null, commit: null, url: null, at: null, markedBy: null };
  await keepDeploy(tx, { ...nameless, build, workflows: versions });
}
