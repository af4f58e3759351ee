import type { RemoteDefinition } from "../../engine/workflows/remote-definition";
import type { Db, Statement } from "../db";

/** A worker over HTTP, as of its registration and its last beat. */
export interface RemoteWorker {
  id: number;
  leaseMs: number;
  /** False: its runs are or will be taken over, and it has to register again. */
  holds: boolean;
  /** The owner of the registration; null if it was made before registrations had an owner. */
  credential: string | null;
  /** Runs that it owns. */
  running: number;
  /** Every version that it has of each of its workflows. */
  workflows: RemoteDefinition[];
}

const workerStatement: Statement = {
  name: "remote-worker",
  text: `
    select worker.id, lease_ms as "leaseMs", stopped_at is null and lease_expires_at > clock_timestamp() as holds, credential,
      (select count(*)::int from handrail.run where run.worker_id = worker.id) as running,
      array(select definition from jsonb_each(worker.versions) as given (name, versions)
        cross join jsonb_array_elements(given.versions) as its (version)
        join handrail.workflow on workflow.name = given.name and workflow.version = its.version::int
        where definition is not null) as workflows
    from handrail.worker where worker.id = $1::bigint and language is not null`,
};

/** Undefined if no worker over HTTP has this id. */
export async function selectRemoteWorker(db: Db, workerId: number): Promise<RemoteWorker | undefined> {
  const [worker] = await db.query<RemoteWorker>(workerStatement, [workerId]);
  return worker;
}

const definitionStatement: Statement = {
  name: "remote-definition",
  text: `
    select definition from handrail.workflow where name = $1 and definition is not null
    order by version = $2::int desc nulls last, version desc limit 1`,
};

/** Of this version, or else the newest; undefined if no worker over HTTP has registered the workflow. */
export async function selectRemoteDefinition(
  db: Db,
  name: string,
  version: number | null = null,
): Promise<RemoteDefinition | undefined> {
  const [row] = await db.query<{ definition: RemoteDefinition }>(definitionStatement, [name, version]);
  return row?.definition;
}

const elsewhereStatement: Statement = {
  name: "workflows-elsewhere",
  text: `select distinct name from handrail.workflow where definition is not null`,
};

/** Names of the workflows that workers over HTTP have registered. */
export async function namesElsewhere(db: Db): Promise<string[]> {
  return (await db.query<{ name: string }>(elsewhereStatement, [])).map(({ name }) => name);
}

const ownStatement: Statement = {
  name: "workflows-of-code",
  text: `select distinct name from handrail.workflow where name = any ($1::text[]) and definition is null`,
};

/** Those of these names that workers of this code have registered. */
export async function namesOfCode(db: Db, names: readonly string[]): Promise<string[]> {
  return (await db.query<{ name: string }>(ownStatement, [names])).map(({ name }) => name);
}

const runsStatement: Statement = {
  name: "runs-of-remote-worker",
  text: `select id::text from handrail.run where worker_id = $1::bigint and workflow = any ($2::text[])`,
};

/** Ids of the runs of these workflows that it owns. */
export async function runsOf(db: Db, workerId: number, workflows: readonly string[]): Promise<string[]> {
  return (await db.query<{ id: string }>(runsStatement, [workerId, workflows])).map(({ id }) => id);
}

const proofStatement: Statement = {
  name: "keep-claim-proofs",
  text: `
    update handrail.run set claim_proof = given.proof
    from unnest($1::uuid[], $2::bigint[], $3::text[]) as given (id, epoch, proof)
    where run.id = given.id and run.epoch = given.epoch`,
};

/** The proofs of ownership of these claims; call it in the transaction that claimed them. */
export async function keepClaimProofs(
  tx: Db,
  claims: readonly { id: string; epoch: number; proof: string }[],
): Promise<void> {
  const columns = [claims.map(({ id }) => id), claims.map(({ epoch }) => epoch), claims.map(({ proof }) => proof)];
  await tx.query(proofStatement, columns);
}
