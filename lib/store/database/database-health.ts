import type { DatabaseFacts } from "../../engine/flow/database-health";
import type { Db, Statement } from "../db";

/** Most tables listed: those with the most dead rows. */
const MAX_TABLES = 6;

/*
 * Existing Postgres counters and heads of small indexes: the cost does not grow with the runs. For other logins'
 * sessions Postgres shows the name but not the age, unless this login has pg_read_all_stats.
 */
const healthStatement: Statement = {
  name: "database-health",
  text: `
    with session as (
      select pid, application_name, state, xact_start, query_start from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    ), oldest as (
      select pid, application_name as application, state, extract(epoch from clock_timestamp() - xact_start)::float8 * 1000 as "ageMs",
        exists (select from pg_locks where pg_locks.pid = session.pid and locktype = 'relation'
          and relation = '"handrail".run'::regclass and mode = 'RowExclusiveLock' and granted) as "hasWrittenRuns"
      from session where xact_start is not null order by xact_start limit 1
    ), live as (
      select extract(epoch from clock_timestamp() - heartbeat_at)::float8 * 1000 as "silentMs",
        extract(epoch from clock_timestamp() - lease_expires_at)::float8 * 1000 as "overdueMs"
      from handrail.worker where stopped_at is null and language is null
    ), ours as (
      select relname as table, n_live_tup::float8 as "liveRows", n_dead_tup::float8 as "deadRows",
        extract(epoch from clock_timestamp() - greatest(last_vacuum, last_autovacuum))::float8 * 1000 as "vacuumedAgoMs",
        pg_total_relation_size(relid)::float8 as bytes
      from pg_stat_user_tables where schemaname = 'handrail' order by n_dead_tup desc limit ${MAX_TABLES}
    )
    select (select to_json(oldest) from oldest) as "oldestTransaction",
      (select count(*)::int from session) + 1 as connections, current_setting('max_connections')::int as "maxConnections",
      (select max("silentMs") from live where "overdueMs" < 0) as "heartbeatLagMs",
      (select max("overdueMs") from live where "overdueMs" >= 0) as "leaseOverdueMs",
      (select coalesce(json_agg(ours), '[]') from ours) as tables,
      pg_database_size(current_database())::float8 as bytes,
      (select age(datfrozenxid)::float8 from pg_database where datname = current_database()) as "oldestXidAge",
      case when pg_is_in_recovery() then null else pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 end as "walBytes"`,
};

export async function selectDatabaseHealth(db: Db): Promise<DatabaseFacts> {
  const [row] = await db.query<DatabaseFacts>(healthStatement, []);
  if (!row) throw new Error("The database's health query returned no row.");
  return row;
}
