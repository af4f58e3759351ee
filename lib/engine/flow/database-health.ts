/** Facts from Postgres. Ages are in milliseconds by its clock. */
export interface DatabaseFacts {
  /** Among the sessions whose age this login may see. */
  oldestTransaction: {
    pid: number;
    application: string;
    state: string;
    ageMs: number;
    /** It holds back the charts, and its changes are not visible yet. */
    hasWrittenRuns: boolean;
  } | null;
  connections: number;
  maxConnections: number;
  /** The longest time since a heartbeat among workers with a valid lease; null without one. */
  heartbeatLagMs: number | null;
  /** How long ago the lease of the longest silent worker expired; null if none did. */
  leaseOverdueMs: number | null;
  /** Our tables with the most dead rows, most first. */
  tables: {
    table: string;
    liveRows: number;
    deadRows: number;
    /** Null: never since the statistics were reset. */
    vacuumedAgoMs: number | null;
    bytes: number;
  }[];
  bytes: number;
  /** Transactions since the oldest row that is not frozen; at 2 billion Postgres stops. */
  oldestXidAge: number;
  /** WAL bytes since initdb; null on a standby. */
  walBytes: number | null;
}

export const HEALTH_LEVELS = ["good", "watch", "act"] as const;
type HealthLevel = (typeof HEALTH_LEVELS)[number];

interface HealthFinding {
  what: "transaction" | "vacuum" | "connections" | "leases" | "wraparound" | "standby";
  level: HealthLevel;
  /** What to do; null if the finding is good. */
  advice: string | null;
}

const MINUTE_MS = 60_000;

/** A long transaction: above the first bound dead rows cannot be vacuumed, above the second tables grow visibly. */
const OLD_TRANSACTION = { watch: MINUTE_MS, act: 10 * MINUTE_MS };
/** A transaction that has written runs holds back the charts and the runs themselves. */
const OLD_WRITER = { watch: MINUTE_MS / 2, act: 5 * MINUTE_MS };
/** The share of dead rows; small tables do not matter. */
const DEAD_SHARE = { watch: 0.3, act: 0.6 };
const DEAD_ROWS_THAT_MATTER = 50_000;
const CONNECTIONS_SHARE = { watch: 0.8, act: 0.95 };
const HEARTBEAT_LAG = 10_000;
/** Any worker's next heartbeat takes over an expired lease. */
const LEASE_OVERDUE = { watch: 5_000, act: MINUTE_MS };
/** autovacuum_freeze_max_age is 200 million by default. */
const XIDS = { watch: 500_000_000, act: 1_500_000_000 };

const levelOf = (value: number, { watch, act }: { watch: number; act: number }): HealthLevel =>
  value >= act ? "act" : value >= watch ? "watch" : "good";

/** What is wrong with the database for Handrail, and what to do; one finding per check, also if it is good. */
export function judgeDatabase(facts: DatabaseFacts): HealthFinding[] {
  return [judgeTransaction(facts), judgeVacuum(facts), judgeConnections(facts), judgeLeases(facts), judgeXids(facts)];
}

const finding = (what: HealthFinding["what"], level: HealthLevel, advice: string): HealthFinding => ({
  what,
  level,
  advice: level === "good" ? null : advice,
});

function judgeTransaction({ oldestTransaction: oldest }: DatabaseFacts): HealthFinding {
  if (!oldest) return finding("transaction", "good", "");
  const level = levelOf(oldest.ageMs, oldest.hasWrittenRuns ? OLD_WRITER : OLD_TRANSACTION);
  const who = `process ${oldest.pid}${oldest.application ? ` ("${oldest.application}")` : ""}`;
  const harm = oldest.hasWrittenRuns
    ? "It has written runs: charts wait for it, and so does every worker that needs those runs."
    : "While it lasts, dead rows of every table cannot be vacuumed.";
  return finding(
    "transaction",
    level,
    `${harm} Check what ${who} does; if it is idle, end it: select pg_terminate_backend(${oldest.pid}).`,
  );
}

function judgeVacuum({ tables }: DatabaseFacts): HealthFinding {
  const worst = tables
    .filter(({ deadRows }) => deadRows >= DEAD_ROWS_THAT_MATTER)
    .map((of) => ({ ...of, share: of.deadRows / (of.deadRows + of.liveRows) }))
    .sort((a, b) => b.share - a.share)[0];
  if (!worst) return finding("vacuum", "good", "");
  const advice = `Most of the rows of handrail.${worst.table} may soon be dead: look for an old transaction first, then vacuum the table manually (vacuum handrail.${worst.table}), and let autovacuum work faster (autovacuum_vacuum_cost_limit).`;
  return finding("vacuum", levelOf(worst.share, DEAD_SHARE), advice);
}

function judgeConnections({ connections, maxConnections }: DatabaseFacts): HealthFinding {
  const level = levelOf(connections / maxConnections, CONNECTIONS_SHARE);
  return finding(
    "connections",
    level,
    "Workers and consoles that start now may be refused: put a pooler in front, or raise max_connections.",
  );
}

function judgeLeases({ heartbeatLagMs, leaseOverdueMs }: DatabaseFacts): HealthFinding {
  if (leaseOverdueMs !== null)
    return finding(
      "leases",
      levelOf(leaseOverdueMs, LEASE_OVERDUE),
      "A worker fell silent and its runs were not taken over: start a worker, or check why the live ones cannot take them.",
    );
  const isLate = heartbeatLagMs !== null && heartbeatLagMs >= HEARTBEAT_LAG;
  return finding(
    "leases",
    isLate ? "watch" : "good",
    "A worker's heartbeat is late: its machine is short of processor time, or the database answers slowly.",
  );
}

function judgeXids({ oldestXidAge }: DatabaseFacts): HealthFinding {
  return finding(
    "wraparound",
    levelOf(oldestXidAge, XIDS),
    "Postgres cannot freeze old rows and will stop taking writes at 2 billion transactions: end what blocks it (old transactions, prepared transactions, replication slots), then vacuum freeze.",
  );
}

/** @param trouble what keeps the standby from being read from; null: nothing */
export function judgeStandby(trouble: string | null): HealthFinding {
  return finding(
    "standby",
    trouble === null ? "good" : "watch",
    `The console reads from the primary, and not from the standby of DATABASE_READ_URL: ${trouble}. Check its replication and that address.`,
  );
}
