import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { residentMb } from "../bench/latency";
import type { Fleet } from "./fleet";
import { type Buckets, bucketsOf, quantile, since, together } from "./flushes";
import type { Readers } from "./readers";
import type { Sample } from "./sample";

interface Totals {
  at: number;
  runs: number;
  steps: number;
  deadTuples: number;
  walBytes: number;
  backlog: number;
}

/* Ends and steps by the server's own counts of rows: a killed worker's counts are gone with it. */
const TOTALS = `
  select (select n_tup_ins from pg_stat_user_tables where schemaname = 'soak' and relname = 'ended')::float8 as runs,
    (select n_tup_ins from pg_stat_user_tables where schemaname = 'handrail' and relname = 'step')::float8 as steps,
    (select sum(n_dead_tup) from pg_stat_user_tables where schemaname = 'handrail')::float8 as "deadTuples",
    (pg_current_wal_insert_lsn() - '0/0')::float8 as "walBytes",
    (select count(*) from handrail.run where status = 'pending' and due_at is null)::float8 as backlog`;

const SIZES = `
  select relname as name, case when relkind = 'i' then pg_relation_size(oid) else pg_table_size(oid) end::float8 as bytes
  from pg_class where relnamespace = 'handrail'::regnamespace and relkind in ('r', 'i')`;

/** Measures the whole of a soak at even times, and writes each sample as it comes. */
export class Sampler {
  readonly samples: Sample[] = [];
  private readonly begin = performance.now();
  private before: Totals | undefined;
  private flushes = new Map<number, Buckets>();

  constructor(
    private readonly pool: Pool,
    private readonly fleet: Fleet,
    private readonly readers: Readers | undefined,
    private readonly file: string,
  ) {}

  async every(ms: number, isOver: () => boolean): Promise<void> {
    this.before = await this.totals();
    await this.flushed();
    for (let next = performance.now() + ms; !isOver(); next += ms) {
      await delay(Math.max(0, next - performance.now()));
      if (!isOver()) await this.take();
    }
  }

  private async take(): Promise<void> {
    const before = this.before as Totals;
    const now = await this.totals();
    this.before = now;
    const seconds = (now.at - before.at) / 1_000;
    const flushes = await this.flushed();
    const sample: Sample = {
      at: rounded((now.at - this.begin) / 1_000),
      runsASecond: rounded((now.runs - before.runs) / seconds),
      stepsASecond: rounded((now.steps - before.steps) / seconds),
      flushP50: quantile(flushes, 0.5),
      flushP99: quantile(flushes, 0.99),
      bytes: await this.sizes(),
      deadTuples: now.deadTuples,
      walBytesASecond: rounded((now.walBytes - before.walBytes) / seconds),
      backlog: now.backlog,
      workers: this.workers(),
      consoleMb: this.readers ? rounded(this.readers.consoleMb()) : null,
      readsP95: this.readers?.p95() ?? null,
      kills: this.fleet.kills,
      deploys: this.fleet.deploys,
    };
    this.samples.push(sample);
    appendFileSync(this.file, `${JSON.stringify(sample)}\n`);
  }

  private async totals(): Promise<Totals> {
    const { rows } = await this.pool.query<Omit<Totals, "at">>(TOTALS);
    return { at: performance.now(), ...(rows[0] as Omit<Totals, "at">) };
  }

  private async sizes(): Promise<Record<string, number>> {
    const { rows } = await this.pool.query<{ name: string; bytes: number }>(SIZES);
    return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
  }

  /** Of all workers since the last time; what a killed one flushed since then is lost. */
  private async flushed(): Promise<Buckets> {
    const now = new Map<number, Buckets>();
    for (const { pid, metricsUrl } of this.fleet.workers) {
      const answer = await fetch(metricsUrl).then(
        (response) => response.text(),
        () => undefined,
      );
      if (answer !== undefined) now.set(pid, bucketsOf(answer));
    }
    const passed = [...now].map(([pid, buckets]) => since(this.flushes.get(pid), buckets));
    this.flushes = now;
    return together(passed);
  }

  private workers(): Sample["workers"] {
    return this.fleet.workers.flatMap(({ pid, version, startedAt, hasEnded }) => {
      const mb = residentMbOf(pid);
      if (mb === undefined || hasEnded()) return [];
      return [{ pid, version, ageSeconds: rounded((performance.now() - startedAt) / 1_000), mb: rounded(mb) }];
    });
  }
}

const rounded = (value: number) => Math.round(value * 10) / 10;

/** Undefined if the process has just ended. */
function residentMbOf(pid: number): number | undefined {
  try {
    const mb = residentMb(pid);
    return Number.isNaN(mb) ? undefined : mb;
  } catch {
    return undefined;
  }
}
