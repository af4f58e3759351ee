import { counter, type Family, gauge, histogram, type MetricValue } from "../operator/metrics/family";
import type { Distribution } from "../worker/claims/distribution";
import { ATTEMPT_NUMBERS, type AttemptEnd, Tally } from "../worker/claims/tally";
import type { WorkerLoad } from "../worker/loop/worker-load";

/** Of node-postgres, whose types do not say more. */
interface PoolLoad {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  options: { max: number };
}

interface WorkerState extends WorkerLoad {
  pools: Record<"engine" | "app" | "heartbeat", PoolLoad>;
}

/**
 * What the workers of this process know of themselves alone. One for the process: a worker that begins after one that
 * lost its lease goes on counting. No label is made of names or data, so that their number does not depend on the code.
 */
export class WorkerMetrics {
  readonly tally = new Tally();
  private readonly states = new Set<() => WorkerState>();

  /** A worker that begins. The returned function takes it out when it has stopped. */
  join(state: () => WorkerState): () => void {
    this.states.add(state);
    return () => this.states.delete(state);
  }

  /** Why the process is not ready for work; empty when it is. */
  problems(): string[] {
    const states = [...this.states].map((state) => state());
    if (states.length === 0) return ["No worker has begun."];
    return states.flatMap(({ isStopping, silentMs, leaseMs }) => {
      if (isStopping) return ["The worker is stopping."];
      if (silentMs === null) return ["The worker has not begun: it waits for the database, or for a migration."];
      return silentMs < leaseMs ? [] : ["The database has not answered the worker's heartbeat for its whole lease."];
    });
  }

  families(): Family[] {
    const states = [...this.states].map((state) => state());
    return [...ofRuns(this.tally), ...ofRecords(this.tally), ...ofLease(this.tally, states), ...ofLoad(states)];
  }

  /** In Prometheus' text format. */
  async text(): Promise<string> {
    const { registryOf } = await import("../operator/metrics/exposition");
    return registryOf(this.families()).metrics();
  }
}

const single = (name: string, help: string, value: number) => counter(name, help, [{ value, labels: {} }]);

/** Each key of the counts is a value of the label. */
const labelled = (label: string, counts: Readonly<Record<string, number>>): MetricValue[] =>
  Object.entries(counts).map(([key, value]) => ({ value, labels: { [label]: key } }));

/** Milliseconds as seconds. */
const seconds = (name: string, help: string, { bounds, counts, sum }: Distribution) =>
  histogram(name, help, { bounds: bounds.map((ms) => ms / 1_000), counts, sum: sum / 1_000 });

function ofRuns(tally: Tally): Family[] {
  const { claimed, replayed, ended, polls, pollMs, pollRuns, attempts, transactionsAgain } = tally;
  return [
    counter("handrail_worker_polls_total", "Looks for runs to claim, by result", labelled("result", polls)),
    seconds("handrail_worker_poll_duration_seconds", "How long the database took to answer them", pollMs),
    histogram("handrail_worker_poll_runs", "Runs that each of them claimed, of those that claimed some", pollRuns),
    counter(
      "handrail_worker_claims_total",
      "Claims of runs; replay: of runs that had recorded steps",
      labelled("kind", { new: claimed - replayed, replay: replayed }),
    ),
    counter(
      "handrail_worker_claims_ended_total",
      "Ends of claims; pending: handed back; lost: another worker owned the run",
      labelled("end", ended),
    ),
    counter(
      "handrail_worker_attempts_total",
      `Attempts of steps that ran here; ${ATTEMPT_NUMBERS}+: that attempt and later ones`,
      Object.keys(attempts).flatMap((outcome) =>
        Array.from(attempts[outcome as AttemptEnd], (value, place) => ({
          value,
          labels: { outcome, attempt: place + 1 < ATTEMPT_NUMBERS ? String(place + 1) : `${ATTEMPT_NUMBERS}+` },
        })),
      ),
    ),
    counter(
      "handrail_worker_transaction_retries_total",
      "Transactions that ran again within an attempt: in conflict with another one, or without their database",
      labelled("reason", transactionsAgain),
    ),
    single("handrail_worker_takeovers_total", "Runs of silent workers that this process freed", tally.takenOver),
    single("handrail_worker_schedule_runs_total", "Runs that it started for schedules", tally.fired),
    single("handrail_worker_deliveries_total", "Runs that it started to deliver notices", tally.deliveries),
    single("handrail_worker_runs_deleted_total", "Runs past their retention that it deleted", tally.deleted),
  ];
}

function ofRecords({ flushMs, flushRecords, flushFailures }: Tally): Family[] {
  return [
    seconds("handrail_worker_flush_duration_seconds", "From a flush of records to its commit", flushMs),
    histogram("handrail_worker_flush_records", "Records of each flush", flushRecords),
    single("handrail_worker_flush_failures_total", "Flushes that failed and were sent again", flushFailures),
  ];
}

function ofLease({ heartbeatMs, heartbeatFailures, leasesLost }: Tally, states: readonly WorkerState[]): Family[] {
  const [worst] = [...states].sort((one, other) => usedOf(other) - usedOf(one));
  return [
    seconds("handrail_worker_heartbeat_duration_seconds", "How long the database took to answer it", heartbeatMs),
    single(
      "handrail_worker_heartbeat_failures_total",
      "Heartbeats, and reads of the news after them, that failed",
      heartbeatFailures,
    ),
    single("handrail_worker_leases_lost_total", "Leases that were lost with all runs of their worker", leasesLost),
    secondsOf("handrail_worker_lease_age_seconds", "Since a heartbeat last renewed the lease", worst?.silentMs),
    secondsOf("handrail_worker_lease_seconds", "Silence after which others take the runs over", worst?.leaseMs),
  ];
}

/** The share of its lease that has passed: leases of one process differ, since an idle worker's is longer. */
const usedOf = ({ silentMs, leaseMs }: WorkerState): number => (silentMs ?? -1) / leaseMs;

/** Nothing without a worker, or before its first heartbeat. */
const secondsOf = (name: string, help: string, ms: number | null | undefined): Family =>
  gauge(name, help, typeof ms === "number" ? [{ value: ms / 1_000, labels: {} }] : []);

function ofLoad(states: readonly WorkerState[]): Family[] {
  const total = (of: (state: WorkerState) => number) => states.reduce((sum, state) => sum + of(state), 0);
  const sum = (name: string, help: string, of: (state: WorkerState) => number) =>
    gauge(name, help, [{ value: total(of), labels: {} }]);
  const pools = (["engine", "app", "heartbeat"] as const).map((pool) => ({
    pool,
    used: total(({ pools }) => pools[pool].totalCount - pools[pool].idleCount),
    idle: total(({ pools }) => pools[pool].idleCount),
    max: total(({ pools }) => pools[pool].options.max),
    waiting: total(({ pools }) => pools[pool].waitingCount),
  }));
  return [
    sum("handrail_worker_process_slots", "Runs that this process may have in flight", ({ slots }) => slots),
    sum("handrail_worker_process_slots_used", "Runs that it has in flight", ({ used }) => used),
    sum("handrail_worker_records_waiting", "Records that wait for a flush", ({ records }) => records),
    gauge(
      "handrail_worker_connections",
      "Connections to the database",
      pools.flatMap(({ pool, used, idle }) => [
        { value: used, labels: { pool, state: "used" } },
        { value: idle, labels: { pool, state: "idle" } },
      ]),
    ),
    gauge(
      "handrail_worker_connections_max",
      "Connections that a pool opens at most",
      pools.map(({ pool, max }) => ({ value: max, labels: { pool } })),
    ),
    gauge(
      "handrail_worker_connection_requests",
      "Statements that wait for a connection",
      pools.map(({ pool, waiting }) => ({ value: waiting, labels: { pool } })),
    ),
  ];
}
