import type { Workflow } from "../engine/workflow";
import type { Db, Statement } from "./db";

export interface WorkerRegistration {
  /** For people: host and process. Never an identity: that is the id. */
  name: string;
  workflows: readonly string[];
  concurrency: number;
  leaseMs: number;
}

const insertWorker: Statement = {
  name: "insert-worker",
  text: `
    insert into handrail.worker (name, workflows, concurrency, lease_expires_at)
    values ($1, $2::text[], $3::int, clock_timestamp() + $4::int * interval '1 ms')
    returning id`,
};

export async function registerWorker(db: Db, worker: WorkerRegistration): Promise<number> {
  const values = [worker.name, worker.workflows, worker.concurrency, worker.leaseMs];
  const [row] = await db.query<{ id: number }>(insertWorker, values);
  return (row as { id: number }).id;
}

/*
 * One statement a beat: extends the lease (only while it still holds: a worker declared lost stays lost), says which of
 * its runs an operator wants cancelled, and whether any other worker has fallen silent.
 */
const beatStatement: Statement = {
  name: "beat",
  text: `
    with beaten as (
      update handrail.worker set heartbeat_at = clock_timestamp(), running = $2::int,
        lease_expires_at = clock_timestamp() + $3::int * interval '1 ms'
      where id = $1::bigint and stopped_at is null and lease_expires_at > clock_timestamp()
      returning id
    )
    select exists (select from beaten) as held,
      array(select id::text from handrail.run where worker_id = $1::bigint and cancel_requested_at is not null) as cancelled,
      exists (select from handrail.worker where stopped_at is null and lease_expires_at < clock_timestamp()
        and id <> $1::bigint) as others_lost`,
};

export interface Beat {
  /** False: the lease has ended, and others may own this worker's runs. */
  held: boolean;
  /** Runs of this worker that an operator wants cancelled. */
  cancelled: string[];
  othersLost: boolean;
}

export async function beat(db: Db, workerId: number, running: number, leaseMs: number): Promise<Beat> {
  const [row] = await db.query<{ held: boolean; cancelled: string[]; others_lost: boolean }>(beatStatement, [
    workerId,
    running,
    leaseMs,
  ]);
  const { held, cancelled, others_lost } = row as { held: boolean; cancelled: string[]; others_lost: boolean };
  return { held, cancelled, othersLost: others_lost };
}

const stoppingStatement: Statement = {
  name: "worker-stopping",
  text: `update handrail.worker set stopping_at = clock_timestamp() where id = $1::bigint and stopping_at is null`,
};

export async function markWorkerStopping(db: Db, workerId: number): Promise<void> {
  await db.query(stoppingStatement, [workerId]);
}

// A claim that this worker began holds its row until it is committed: only a statement after this lock sees what it took.
const lockWorkerStatement: Statement = {
  name: "lock-worker",
  text: `select id from handrail.worker where id = $1::bigint for update`,
};

const stoppedStatement: Statement = {
  name: "worker-stopped",
  text: `
    update handrail.worker set stopped_at = clock_timestamp(), running = 0
    where id = $1::bigint and not exists (select from handrail.run where worker_id = $1::bigint)`,
};

/** Only a worker without runs says goodbye; one that still owns some is left to the completer. */
export function markWorkerStopped(db: Db, workerId: number): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(lockWorkerStatement, [workerId]);
    await tx.query(stoppedStatement, [workerId]);
  });
}

const upsertWorkflows: Statement = {
  name: "upsert-workflows",
  text: `
    insert into handrail.workflow (name, version, title, input_schema)
    select * from unnest($1::text[], $2::int[], $3::text[], $4::jsonb[])
    on conflict (name, version) do update
      set title = excluded.title, input_schema = excluded.input_schema, seen_at = clock_timestamp()`,
};

/** Tells the console which workflows exist, with the JSON Schema of their input where theirs can be told. */
export async function registerWorkflows(db: Db, workflows: readonly Workflow[]): Promise<void> {
  // In the order of their names: two workers that start at once lock the rows in the same order.
  const sorted = [...workflows].sort((a, b) => (a.name < b.name ? -1 : 1));
  await db.query(upsertWorkflows, [
    sorted.map((workflow) => workflow.name),
    sorted.map((workflow) => workflow.version),
    sorted.map((workflow) => workflow.title),
    sorted.map((workflow) => inputJsonSchema(workflow)),
  ]);
}

function inputJsonSchema(workflow: Workflow): string | null {
  const standard = workflow.input["~standard"] as {
    jsonSchema?: { input: (options: { target: string }) => Record<string, unknown> };
  };
  try {
    return standard.jsonSchema ? JSON.stringify(standard.jsonSchema.input({ target: "draft-2020-12" })) : null;
  } catch {
    // A schema may hold what JSON Schema cannot say, such as a Date; then people write the input without its help.
    return null;
  }
}
