import { readdirSync, readFileSync } from "node:fs";
import type { Pool } from "pg";

/** What the server has spent so far. Statements need pg_stat_statements, which the bench's own server loads. */
export interface Cost {
  /** Of the server and of this process. */
  cpuMs: number;
  serverCpuMs: number;
  statements: number;
  commits: number;
  walBytes: number;
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

export async function costSoFar(pool: Pool): Promise<Cost> {
  // Backends tell their counters at most once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await pool.query(`
    select (select sum(calls) from pg_stat_statements where query not like '%pg_stat%')::float8 as statements,
      (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits,
      -- By position: pg_stat_wal learns of a backend's WAL up to ten seconds later.
      (pg_current_wal_insert_lsn() - '0/0')::float8 as wal_bytes`);
  const server = await serverCpuMs(pool);
  return {
    cpuMs: server + ownCpuMs(),
    serverCpuMs: server,
    statements: rows[0].statements,
    commits: rows[0].commits,
    walBytes: rows[0].wal_bytes,
  };
}

export function difference(before: Cost, after: Cost): Cost {
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    serverCpuMs: after.serverCpuMs - before.serverCpuMs,
    statements: after.statements - before.statements,
    commits: after.commits - before.commits,
    walBytes: after.walBytes - before.walBytes,
  };
}

/** The position of the server's log. */
export async function walPosition(pool: Pool): Promise<string> {
  await pool.query("create extension if not exists pg_walinspect");
  return (await pool.query<{ at: string }>("select pg_current_wal_insert_lsn()::text as at")).rows[0]?.at as string;
}

/**
 * Commits of transactions that wrote something, since then: each is made durable. `xact_commit` counts those that only read as
 * well, and the server's own looks. Read from the log itself: counters of flushes come up to ten seconds late.
 */
export async function durableCommits(pool: Pool, since: string): Promise<number> {
  const { rows } = await pool.query<{ commits: number }>(
    `select count(*)::int as commits from pg_get_wal_records_info($1, pg_current_wal_insert_lsn())
     where resource_manager = 'Transaction' and record_type like 'COMMIT%'`,
    [since],
  );
  return rows[0]?.commits as number;
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Of the server's processes, living and waited for. Other servers of the machine are not its. */
export async function serverCpuMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const server = parentOf(readStat(`${rows[0]?.pid}`) ?? "");
  let ticks = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = readStat(pid);
    if (stat && Number(pid) === server) ticks += processorTicks(stat, 4);
    else if (stat && parentOf(stat) === server) ticks += processorTicks(stat, 2);
  }
  return ticks * TICK_MS;
}

/** Of one process, without those it started. */
export const processCpuMs = (pid: number): number => processorTicks(readStat(`${pid}`) ?? "", 2) * TICK_MS;

function readStat(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined; // ended between the two looks
  }
}

const fieldsOf = (stat: string) => stat.slice(stat.lastIndexOf(")") + 2).split(" ");
const parentOf = (stat: string) => Number(fieldsOf(stat)[1]);

// After the name in parentheses: user and system time are the 12th and 13th field, those of ended children the next two.
const processorTicks = (stat: string, fields: 2 | 4): number =>
  fieldsOf(stat)
    .slice(11, 11 + fields)
    .reduce((sum, ticks) => sum + Number(ticks), 0);
