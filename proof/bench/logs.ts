import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { searchLogs } from "../../lib/operator/logs/search-logs";
import { createPool } from "../../lib/store/database/pools";
import { type Db, poolDb } from "../../lib/store/db";
import { LINES_PER_BLOCK } from "../../lib/store/logs/log-words";
import { migrate } from "../../lib/store/migrations/migrate";
import { foldAllLogs } from "../../lib/worker/duties/fold-logs";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { WHILE_FILLING } from "./console/database";
import { atLeast, atMost, type Figure, median, ms, perSecond } from "./figure";

/** Where the database stays, to be used again: ten million lines take 6 GB. */
const DIR = process.env.BENCH_LOGS_DIR ?? path.join(tmpdir(), "handrail-bench-logs");
const LINES = Number(process.env.BENCH_LOGS_LINES ?? 10_000_000);
const BATCH = 500_000;
/** Of one run; 400 runs log at the same time. */
const LINES_OF_A_RUN = 50;
const AT_ONCE = 400;
/** Of each search, after a first one, with other values each time. */
const TIMES = 30;

/** Search across runs over ten million lines, and what the index of their words costs. */
export async function logs(): Promise<Figure[]> {
  const server = await startEmbeddedPostgres({ dir: path.join(DIR, "postgres"), settings: WHILE_FILLING });
  const filled = await fillOnce(server).finally(() => server.stop());
  // As Postgres comes: 128 MB of shared buffers.
  const plain = await startEmbeddedPostgres({ dir: path.join(DIR, "postgres") });
  try {
    const pool = createPool({
      databaseUrl: plain.url("logs"),
      name: "bench",
      max: 4,
      statementTimeoutMs: 5_000,
      idleInTransactionMs: 5_000,
    });
    const searches = await measureSearches(poolDb(pool));
    const sizes = await sizesOf(poolDb(pool));
    await pool.end();
    return [...filled, ...searches, ...sizes, ...(await writeCosts(plain))];
  } finally {
    await plain.stop();
  }
}

async function fillOnce(server: EmbeddedPostgres): Promise<Figure[]> {
  const url = server.url("logs");
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => undefined);
  try {
    const { rows } = await pool.query("select coalesce(max(id), 0) as lines from handrail.log");
    if (Number(rows[0].lines) < LINES) await fill(pool);
    return await indexed(pool);
  } finally {
    await pool.end();
  }
}

async function fill(pool: pg.Pool): Promise<void> {
  await pool.query(`
      insert into handrail.workflow (name, version, title) select 'flow-' || n, 1, 'Flow ' || n from generate_series(0, 11) as n on conflict do nothing;
      insert into handrail.run (id, workflow, version, status, input, created_at, started_at, finished_at)
      select (lpad(to_hex(1750000000000 + n * 1000), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
        'flow-' || least(floor(sqrt(n % 144)), 11), 1, 'completed', '{}', at, at, at
      from (select n, to_timestamp(1750000000 + n) as at from generate_series(0, ${LINES / LINES_OF_A_RUN - 1}) as n) as made on conflict do nothing`);
  for (let from = 0; from < LINES; from += BATCH) {
    await pool.query(LINES_TEXT, [from, Math.min(from + BATCH, LINES) - 1]);
    process.stdout.write(`  logs: ${(from + BATCH).toLocaleString("en")} lines\n`);
  }
}

/** Goes on where an earlier run was stopped. */
async function indexed(pool: pg.Pool): Promise<Figure[]> {
  const blocks = async () => Number((await pool.query("select count(*) from handrail.log_block")).rows[0].count);
  const before = await blocks();
  const since = performance.now();
  await foldAllLogs(poolDb(pool), () => false);
  const seconds = (performance.now() - since) / 1_000;
  const lines = ((await blocks()) - before) * LINES_PER_BLOCK;
  if (lines === 0) return [];
  await pool.query("vacuum analyze handrail.log");
  await pool.query("vacuum analyze handrail.log_block");
  return [
    {
      measure: "log lines indexed by their words, a second (the fold of one worker)",
      measured: `${perSecond(lines / seconds)}, ${lines.toLocaleString("en")} in ${seconds.toFixed(0)} s`,
      value: lines / seconds,
      target: atLeast(10_000),
    },
  ];
}

/** Messages as apps write them: few shapes, each with ids and numbers that no other line has. */
const LINES_TEXT = `
  insert into handrail.log (run_id, key, during, step, attempt, message, data, level, trace_id, at)
  select (lpad(to_hex(1750000000000 + run * 1000), 12, '0') || '7000' || '8000' || lpad(to_hex(run), 12, '0'))::uuid,
    'k' || n, 'body', (array['load', 'charge', 'reserve', 'ship', 'notify'])[1 + (hash & 255) % 5], 1,
    case when n % 1000003 = 0 then 'ledger mismatch for account acc_' || md5(n::text)
      else (array['charging order ', 'charged order ', 'reserved stock for order ', 'asking the carrier about ', 'sent the receipt of ',
        'retrying after ECONNRESET for ', 'timeout of the gateway for ', 'card declined: order '])[1 + (hash >> 8 & 255) % 8]
        || 'ord_' || left(md5(n::text), 12) || ' of customer cus_' || (hash & 65535) end,
    case when n % 3 = 0 then '{"amountCents":' || (hash & 1048575) || ',"provider":"' || (array['acme', 'globex', 'initech'])[1 + n % 3] || '","request":"req_' || left(md5('r' || n), 16) || '"}' end,
    case when n % 1000003 = 0 or hash % 50 = 0 then 'error' when hash % 20 = 0 then 'warn' when hash % 3 = 0 then 'debug' else 'info' end,
    md5('t' || run), to_timestamp(1750000000 + n / 4.0)
  from (
    select n, (n / ${AT_ONCE * LINES_OF_A_RUN}) * ${AT_ONCE} + n % ${AT_ONCE} as run, abs(hashint4(n::int)) as hash from generate_series($1::bigint, $2::bigint) as n
  ) as line`;

const AT = (line: number) => new Date((1_750_000_000 + line / 4) * 1_000).toISOString();
const some = (n: number) => Math.floor(((n * 0.618) % 1) * LINES);

type Search = (n: number, values: Values) => Parameters<typeof searchLogs>[1];
/** Of a line that there is. */
interface Values {
  order: string;
  trace: string;
  step: string;
}

const SEARCHES: Record<string, Search> = {
  "the newest lines": () => ({}),
  "an id that one line has": (_, { order }) => ({ q: order }),
  "the beginning of an id": (_, { order }) => ({ q: order.slice(0, 12) }),
  "an id that no line has": (n) => ({ q: `ord_zz${n}zz` }),
  "a trace id": (_, { trace }) => ({ q: trace }),
  "a word of every eighth line": () => ({ q: "declined" }),
  "a word of ten lines": () => ({ q: "mismatch" }),
  "a phrase": () => ({ q: '"ledger mismatch"' }),
  "two common words that no line has together": () => ({ q: "declined ECONNRESET" }),
  errors: () => ({ level: "error" as const }),
  "errors of a rare workflow at a step": () => ({ level: "error" as const, workflow: ["flow-0"], step: "ship" }),
  "a common word of a rare workflow": () => ({ q: "timeout", workflow: ["flow-0"] }),
  "an hour long ago": (n) => ({ after: AT(some(n)), before: AT(some(n) + 14_400) }),
  "a word in an hour long ago": (n) => ({ q: "timeout acme", after: AT(some(n)), before: AT(some(n) + 14_400) }),
  "a word with two letters": () => ({ q: "zz" }),
  "three letters with which half a million words begin": () => ({ q: "cus_ 12" }),
  "a digit with which a million words begin": () => ({ q: "ord_1" }),
  "three digits with which thousands of words begin": (n) => ({ q: `ord_${100 + (n % 900)}` }),
};

async function measureSearches(db: Db): Promise<Figure[]> {
  const values = await db.query<Values>(
    {
      name: "",
      text: `select distinct on (n) (regexp_match(message, 'ord_\\w+'))[1] as "order", trace_id as trace, step
      from unnest($1::bigint[]) as n cross join lateral (select * from handrail.log where id > n and message like '%ord\\_%' order by id limit 1) as line`,
    },
    [Array.from({ length: TIMES + 1 }, (_, n) => Math.min(some(n), LINES - 10))],
  );
  const figures: Figure[] = [];
  for (const [name, search] of Object.entries(SEARCHES)) {
    const took: number[] = [];
    let last: Awaited<ReturnType<typeof searchLogs>> | undefined;
    for (let n = 0; n <= TIMES; n++) {
      const asked = search(n, values[n % values.length] as Values);
      const since = performance.now();
      last = await searchLogs(db, asked);
      if (n > 0) took.push(performance.now() - since);
    }
    const p95 = took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)] as number;
    const end = last?.lookedBackTo ? `stopped at ${last.lookedBackTo}` : "to the end or a full page";
    figures.push({
      measure: `search, ${name}, p95`,
      measured: `p50 ${ms(median(took))}, p95 ${ms(p95)}, longest ${ms(took.at(-1) as number)}; ${last?.lines.length} lines, ${end}`,
      value: p95,
      target: atMost(100),
    });
  }
  return figures;
}

async function sizesOf(db: Db): Promise<Figure[]> {
  const [row] = await db.query<Record<"log" | "blocks" | "byId", number>>(
    {
      name: "",
      text: `select pg_total_relation_size('handrail.log') as log, pg_total_relation_size('handrail.log_block') as blocks, pg_relation_size('handrail.log_by_id') as "byId"`,
    },
    [],
  );
  const { log, blocks, byId } = row as Record<"log" | "blocks" | "byId", number>;
  const mb = (bytes: number) => `${Math.round(bytes / 1_048_576).toLocaleString("en")} MB`;
  return [
    {
      measure: "index of words, bytes for a byte of lines",
      measured: `${mb(blocks)} for ${mb(log)}, ${mb(byId)} of them the index by id`,
      value: blocks / log,
      target: atMost(1),
    },
  ];
}

/** How many a second a worker's statement writes, 200 at a time, as it is and with other indexes; in turns. */
const VARIANTS = {
  "as it is": ["", ""],
  "without the index by id": ["drop index handrail.log_by_id", "create unique index log_by_id on handrail.log (id)"],
  "with a GIN index of its own on every line": [
    "create index log_words on handrail.log using gin (to_tsvector('simple', message || ' ' || coalesce(data, '')))",
    "drop index handrail.log_words",
  ],
  "the same without fastupdate": [
    "create index log_words on handrail.log using gin (to_tsvector('simple', message || ' ' || coalesce(data, ''))) with (fastupdate = off)",
    "drop index handrail.log_words",
  ],
} as const;
const ROUNDS = 3;

async function writeCosts(server: EmbeddedPostgres): Promise<Figure[]> {
  const url = server.url(`lines_${Date.now()}`);
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const rates = new Map<string, number[]>();
  let next = 0;
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const [name, [before, after]] of Object.entries(VARIANTS)) {
        if (before) await pool.query(before);
        const since = performance.now();
        for (let flush = 0; flush < 250; flush++, next += 200) await pool.query(LINES_TEXT, [next, next + 199]);
        rates.set(name, [...(rates.get(name) ?? []), 50_000 / ((performance.now() - since) / 1_000)]);
        if (after) await pool.query(after);
      }
  } finally {
    await pool.end();
  }
  const bare = median(rates.get("without the index by id") as number[]);
  return [...rates].map(([name, all]) => ({
    measure: `lines written by one connection, ${name}, against without the index by id`,
    measured: perSecond(median(all)),
    value: median(all) / bare,
    target: name === "as it is" ? atLeast(0.9) : atLeast(0),
  }));
}
