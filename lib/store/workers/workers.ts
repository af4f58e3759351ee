import { effectiveRetention } from "../../engine/runs/retention";
import { inputJsonSchema } from "../../engine/workflows/input-schema";
import type { Workflow } from "../../engine/workflows/workflow";
import { newestOf } from "../../engine/workflows/workflow-versions";
import type { Db, Statement } from "../db";
import { registerSubscriptions } from "../events/subscriptions";
import { payloadKeyIds } from "../payloads";
import { CLOSED_INTAKES, HELD_WORKFLOWS } from "../queues/intake";
import { lookAfterStop } from "../queues/lanes-after-stop";

/** Distinguishes one process from any other, past or future. */
export interface ProcessIdentity {
  /** Equal for workers that share one process id namespace. */
  host: string;
  pid: number;
  /** Start time, in a unit and from an origin that the host keeps. A pid alone is reused in time. */
  start: number;
}

interface WorkerRegistration {
  /** For people: host and process. Never an identity: that is the id. */
  name: string;
  workflows: readonly string[];
  /** The versions of each workflow. Default: none that could be chosen. */
  versions?: Record<string, readonly number[]>;
  /** Schedules that its code defines: it fires them. Default: none. */
  schedules?: readonly string[];
  /** The alert rules that its code defines, and whose code it is. Absent: code that knows of none. */
  alerts?: readonly string[];
  app?: string;
  concurrency: number;
  leaseMs: number;
  /** Null or absent if unknown: then only the end of the lease shows that the worker has died. */
  process?: ProcessIdentity | null;
  /** Of a worker over HTTP: its lease length is stored only in the database, and every beat reads it from there. */
  language?: string;
  /** The owner of a worker over HTTP. */
  credential?: string;
  /** The build that its process runs. */
  build?: string | null;
}

/*
 * Closing an intake locks its workflow against this, and then every existing worker: it sees this worker, or this one
 * sees the closed intake. Locks all workflows, because a worker is not limited to those it names; in the order of
 * writing.
 */
const lockIntakesStatement: Statement = {
  name: "lock-intakes",
  text: `select from handrail.workflow order by name, version for key share`,
};

const insertWorker: Statement = {
  name: "insert-worker",
  text: `
    insert into handrail.worker (name, workflows, concurrency, lease_expires_at, host, pid, process_start, schedules,
      closed_intakes, held_workflows, language, lease_ms, versions, payload_keys, credential, app, alerts, build)
    values ($1, $2::text[], $3::int, clock_timestamp() + $4::int * interval '1 ms', $5, $6::int, $7::bigint, $8::text[],
      ${CLOSED_INTAKES}, ${HELD_WORKFLOWS}, $9::text, case when $9::text is not null then $4::int end, $10::jsonb, $11::text[], $12,
      $13, $14::text[], $15)
    returning id`,
};

export function registerWorker(db: Db, worker: WorkerRegistration): Promise<number> {
  const { name, workflows, versions = {}, schedules = [], concurrency, leaseMs, process, language = null } = worker;
  const { credential = null, app = null, alerts = null, build = null } = worker;
  const values = [
    name,
    workflows,
    concurrency,
    leaseMs,
    process?.host ?? null,
    process?.pid ?? null,
    process?.start ?? null,
    schedules,
    language,
    JSON.stringify(versions),
    payloadKeyIds(),
    credential,
    app,
    alerts,
    build,
  ];
  return db.transaction(async (tx) => {
    await tx.query(lockIntakesStatement, []);
    const [row] = await tx.query<{ id: number }>(insertWorker, values);
    return (row as { id: number }).id;
  });
}

const stoppingStatement: Statement = {
  name: "worker-stopping",
  text: `update handrail.worker set stopping_at = clock_timestamp() where id = $1::bigint and stopping_at is null`,
};

export async function markWorkerStopping(db: Db, workerId: number): Promise<void> {
  await db.query(stoppingStatement, [workerId]);
}

const leaseLostStatement: Statement = {
  name: "lease-lost",
  text: `update handrail.worker set lease_lost_at = clock_timestamp() where id = $1::bigint`,
};

/** Called by the worker itself when it gives up its lease. */
export async function markLeaseLost(db: Db, workerId: number): Promise<void> {
  await db.query(leaseLostStatement, [workerId]);
}

const leasesLostStatement: Statement = {
  name: "leases-lost-on-host",
  text: `
    select count(*) as count from handrail.worker as other join handrail.worker as me using (host)
    where me.id = $1::bigint and other.id <> me.id and other.lease_lost_at > clock_timestamp() - interval '10 min'`,
};

/** Leases lost on this worker's machine within ten minutes; 0 if processes cannot be distinguished. */
export async function leasesLostOnHost(db: Db, workerId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(leasesLostStatement, [workerId]);
  return row?.count ?? 0;
}

// A claim that this worker began holds its row until it is committed: only a later statement sees what it took.
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

/** Only for a worker without runs; one that still owns some is left to the completer. */
export function markWorkerStopped(db: Db, workerId: number): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(lockWorkerStatement, [workerId]);
    await tx.query(stoppedStatement, [workerId]);
    await lookAfterStop(tx, [workerId]);
  });
}

const upsertWorkflows: Statement = {
  name: "upsert-workflows",
  text: `
    with given as (
      select name, version, title, input_schema, limits, retention, definition,
        (select coalesce(array_agg(path), '{}') from jsonb_array_elements_text(given.masked) as path) as masked, four_eyes::text[] as four_eyes,
        events::text[] as events
      from unnest($1::text[], $2::int[], $3::text[], $4::json[], $5::jsonb[], $6::jsonb[], $7::jsonb[], $8::jsonb[], $9::text[], $10::text[])
        as given (name, version, title, input_schema, limits, retention, definition, masked, four_eyes, events)
    ), other_limits as (
      insert into handrail.queue_note (workflow, key)
      select lane.workflow, lane.key from given
      join handrail.queue_lane as lane on lane.workflow = given.name
      left join handrail.workflow as same on same.name = given.name and same.version = given.version and same.limits is not distinct from given.limits
      where given.version = (select max(version) from given as newest where newest.name = given.name)
        and exists (select from handrail.workflow as known where known.name = given.name
          and known.limits is distinct from given.limits and (same.seen_at is null or known.seen_at > same.seen_at))
    ), totals as (
      insert into handrail.queue_total (workflow)
      select distinct name from given
      where coalesce(nullif(limits -> 'total', 'null'), nullif(limits -> 'totalRate', 'null')) is not null
      order by name on conflict do nothing
    )
    insert into handrail.workflow (name, version, title, input_schema, limits, retention, definition, masked, four_eyes, events)
    select * from given
    on conflict (name, version) do update
      set title = excluded.title, input_schema = excluded.input_schema, limits = excluded.limits,
        retention = excluded.retention, definition = excluded.definition, events = excluded.events,
        masked = workflow.masked || array(select path from unnest(excluded.masked) as path where path <> all (workflow.masked)),
        four_eyes = workflow.four_eyes || array(select act from unnest(excluded.four_eyes) as act where act <> all (workflow.four_eyes)),
        seen_at = clock_timestamp()
    -- Of two that insert at once, the second finds the row of the first.
    returning name, version, xmax = 0 as fresh`,
};

export type VersionOfWorkflow = Pick<Workflow, "name" | "version">;

/**
 * Registers the workflows for the console, and makes claims check queues whose limits have changed since code with
 * these was registered, whatever the version; with the JSON Schema of their input if it can be derived. `keepMs`: retention of ended runs of workflows without a declared one;
 * null for forever. Masks and four-eyes actions of a version only grow: removing one requires a new version. Returns
 * the versions that nobody had registered before.
 */
export async function registerWorkflows(
  db: Db,
  workflows: readonly Workflow[],
  keepMs: number | null = null,
): Promise<VersionOfWorkflow[]> {
  // In the order of their names, so that two workers that start at once lock the rows in the same order.
  const sorted = [...workflows].sort((a, b) => (a.name === b.name ? a.version - b.version : a.name < b.name ? -1 : 1));
  const rows = await db.query<VersionOfWorkflow & { fresh: boolean }>(upsertWorkflows, [
    sorted.map((workflow) => workflow.name),
    sorted.map((workflow) => workflow.version),
    sorted.map((workflow) => workflow.title),
    sorted.map((workflow) => jsonOrNull(inputJsonSchema(workflow))),
    sorted.map(({ queueing }) => queueing && JSON.stringify({ ...queueing.limits, keyed: queueing.keyed })),
    sorted.map(({ retention }) => jsonOrNull(effectiveRetention(retention, keepMs))),
    sorted.map(({ remote }) => jsonOrNull(remote ?? null)),
    sorted.map(({ masked }) => JSON.stringify(masked)),
    // As a Postgres array literal, because an array of arrays is flattened: words without commas or quotes.
    sorted.map(({ fourEyes }) => `{${fourEyes.join(",")}}`),
    sorted.map(({ events }) => `{${[...new Set(events.map(({ name }) => `"${name}"`))].join(",")}}`),
  ]);
  await registerSubscriptions(db, newestOf(sorted));
  return rows.filter(({ fresh }) => fresh).map(({ name, version }) => ({ name, version }));
}

const jsonOrNull = (value: object | null): string | null => value && JSON.stringify(value);
