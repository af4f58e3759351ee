import { isReserved } from "../engine/workflows/own-workflows";
import type { Workflow } from "../engine/workflows/workflow";
import { codeHere, type WorkflowCode } from "../engine/workflows/workflow-code";
import { newestOf } from "../engine/workflows/workflow-versions";
import type { ChangeFeed } from "../operator/changes/change-feed";
import { createPool, type PoolOptions } from "../store/database/pools";
import { type Db, poolDb } from "../store/db";
import { selectRemoteDefinition } from "../store/workers/remote-workers";
import { workflowsDeclaring } from "../store/workflows/code-requests";
import { CodeElsewhere } from "./code-elsewhere";
import { workflowOf } from "./definition";

/** A request takes three short statements. */
const CONNECTIONS = 2;

export interface CodeSources {
  /** Those of this process. */
  workflows: readonly Workflow[];
  db: Db;
  feed: ChangeFeed;
  /** Of the connections to ask workers by: separate ones, since others may all be held by those who wait for an answer. */
  connection: Pick<PoolOptions, "databaseUrl" | "name" | "statementTimeoutMs" | "idleInTransactionMs">;
}

/**
 * The one place that decides where the code of a workflow is: in this process; in the definition that a worker over HTTP registered;
 * or with the workers alone, which are asked. Connects with the first that is asked.
 */
export function openWorkflowCode({ workflows, db, feed, connection }: CodeSources) {
  const pool = createPool({ ...connection, max: CONNECTIONS });
  const here = codeHere(workflows);
  const elsewhere = new CodeElsewhere(
    poolDb(pool),
    feed,
    newestOf(workflows).map(({ name }) => name),
  );
  const isHere = (name: string) => isReserved(name) || workflows.some((workflow) => workflow.name === name);
  const ofName = async (name: string): Promise<WorkflowCode> => {
    if (isHere(name)) return here;
    const definition = await selectRemoteDefinition(db, name);
    return definition ? codeHere([workflowOf(definition)]) : elsewhere;
  };
  /** The code of one version may be elsewhere though that of another is here. */
  const ofVersion = async (name: string, version: number): Promise<WorkflowCode> => {
    if (isReserved(name) || workflows.some((one) => one.name === name && one.version === version)) return here;
    const definition = await selectRemoteDefinition(db, name, version);
    return definition?.version === version ? codeHere([workflowOf(definition)]) : elsewhere;
  };
  const code: WorkflowCode = {
    async prepareStart(name, start, pause, bounds) {
      const version = start.options?.version;
      const there = await (version === undefined ? ofName(name) : ofVersion(name, version));
      // A process in another language reads no blobs.
      return there.prepareStart(name, start, pause, there === here ? bounds : undefined);
    },
    prepareStarts: async (name, starts, pause) => (await ofName(name)).prepareStarts(name, starts, pause),
    async checkPayload(event, payload, name) {
      await here.checkPayload(event, payload, name);
      if (name !== undefined && isHere(name)) return;
      const but = workflows.map((workflow) => workflow.name);
      const declaring = await workflowsDeclaring(db, event, { but, only: name ?? null });
      await Promise.all(declaring.map((one) => elsewhere.checkPayload(event, payload, one)));
    },
  };
  return { code, close: () => pool.end() };
}
