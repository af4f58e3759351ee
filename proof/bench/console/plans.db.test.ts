import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COUNT_CAP } from "../../../lib/api/contract/caps";
import { type ApiOnADatabase, anApiOnADatabase } from "../../../lib/testing/api/api-on-a-database";
import { copyRun } from "../../../lib/testing/rows/copy-run";
import { oneIn } from "../../../lib/testing/sample";
import { CALLS, type Call } from "./calls";
import { type Facts, factsOf } from "./facts";
import { fill } from "./fill";
import { explainAll, type Mode, type Sent, scansOf } from "./plans";

const RUNS = 40_000;
/** Grow with what is run; any other table has a few rows of each workflow, worker or person. */
const BIG = [
  "run",
  "run_tag",
  "step",
  "attempt",
  "compensation",
  "event",
  "event_wait",
  "lost_claim",
  "log",
  "audit",
  "problem_run",
  "trouble",
  "firing",
  "plan_item",
  "operation_item",
  "progress",
  "drift",
  "new_run",
  "version_change",
];
/**
 * Of one table by one node of a plan: what a count that stops at its cap reads, and a walk that gives up after 10,000 runs together
 * with the ids that it is merged with.
 */
const MOST_ROWS = 3 * COUNT_CAP;
/** Here it walks 10,000 runs of a tag that two runs in five have, a quarter of the table: that may as well be read whole. */
const TOO_FEW_RUNS = "failed of a tag of every second run";
/**
 * Rows of a table that the planner may rightly read whole; the statement is planned again with sequential scans off.
 */
const SMALL = 2_000;

let on: ApiOnADatabase;
let client: pg.Client;
let facts: Facts;

beforeAll(async () => {
  on = await anApiOnADatabase();
  client = new pg.Client({ connectionString: on.database.url });
  await client.connect();
  await fill(client, on.db, { runs: RUNS });
  await client.query("set work_mem = '4MB'");
  // As the console's own connections have it.
  await client.query("set max_parallel_workers_per_gather = 0");
  await explainAll(client);
  facts = await factsOf(on.database.pool);
}, 300_000);

afterAll(async () => {
  await client?.end();
  await on?.close();
});

/** The statements that the console sends while `work` runs. */
async function listening(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function heard(this: pg.Client, config: Partial<Sent>, ...rest: unknown[]) {
    if (config?.text && config.values) sent.push({ name: config.name, text: config.text, values: config.values });
    return (query as (...given: unknown[]) => unknown).call(this, config, ...rest);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}

/** A statement that passed need not be checked again for another call. */
const faultless = new Set<string>();
const isNew = ({ text }: Sent) => /^\s*(select|with)/i.test(text) && !faultless.has(text);

/** A named statement may be planned either way, as Postgres decides; an unnamed one is planned for its values. */
const modesOf = ({ name }: Sent): Mode[] =>
  name ? ["force_custom_plan", "force_generic_plan"] : ["force_custom_plan"];

/** Of tables too small for an index to be worth it, what is read without one even where that is to be avoided. */
async function wholeTables(sent: Sent, mode: Mode): Promise<string[]> {
  await client.query("set enable_seqscan = off");
  const { scans, plan } = await scansOf(client, sent, mode);
  await client.query("set enable_seqscan = on");
  const whole = scans.filter((scan) => scan.whole && BIG.includes(scan.table)).map(({ table }) => table);
  return whole.length > 0 ? [`${whole.join(", ")} read whole:\n${sent.text}\n${plan}`] : [];
}

async function faultsOf(sent: Sent, mode: Mode, mostRows: number): Promise<string[]> {
  const { scans, plan } = await scansOf(client, sent, mode);
  const faults = scans
    .filter(({ table, whole, rows, rowsEach }) => BIG.includes(table) && (whole ? rowsEach > SMALL : rows > mostRows))
    .map(({ table, whole, rows }) => (whole ? `the whole of ${table} read` : `${rows} rows of ${table} read`));
  if (faults.length > 0)
    return [`${mode}: ${faults.join("; ")}:\n${sent.text}\n${JSON.stringify(sent.values)}\n${plan}`];
  return scans.some(({ table, whole }) => whole && BIG.includes(table)) ? wholeTables(sent, mode) : [];
}

async function expectBounded({ path, mostRows = MOST_ROWS }: Call): Promise<void> {
  const sent = await listening(async () => {
    const response = await on.api.send("GET", `/v1${path(facts, 0)}`);
    expect(response.status, await response.text()).toBe(200);
  });
  expect(sent.length).toBeGreaterThan(0);
  const faults: string[] = [];
  for (const one of sent.filter(isNew)) {
    const found: string[] = [];
    for (const mode of modesOf(one)) found.push(...(await faultsOf(one, mode, mostRows)));
    if (found.length === 0) faultless.add(one.text);
    faults.push(...found);
  }
  expect(faults.join("\n\n")).toBe("");
}

const calls = CALLS.filter(({ name }) => !name.endsWith(TOO_FEW_RUNS));

describe("what the console asks of 40,000 runs", () => {
  it.each(oneIn(6, calls))("$name", expectBounded);
});

describe("what the console asks while as many wait for a worker", () => {
  beforeAll(async () => {
    const { rows } = await client.query<{ id: string }>(
      `select id from handrail.run where status = 'pending' and due_at is null and queue_key is null and started_at is null
         and parent_run_id is null limit 1`,
    );
    await copyRun(client, rows[0]?.id ?? "", { count: RUNS, firstMs: Date.now() });
    await client.query("analyze handrail.run");
    faultless.clear();
  }, 60_000);

  /** Not the counts of the one workflow that they are of: its backlog is read whole, in the order of claims. */
  const OF_RUNS =
    /^(runs over time$|runs, (none|status (pending|running|completed)|(pending of )?the rarest workflow)$|counts, (none|pending of the rarest workflow|the rarest workflow)$|overview|flow, 1h|workers|workflows|retention|search)/;
  it.each(calls.filter(({ name }) => OF_RUNS.test(name)))("$name", expectBounded);
});
