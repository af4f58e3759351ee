import pg from "pg";
import { CREDIT, credits, inFlight, steps } from "./work.mjs";

/*
 * No product: the least SQL that makes a step durable before the next one starts, and an end that a client hears of by LISTEN.
 * What an engine takes beyond this is its price for everything else it does. floor-one.mjs commits each step by itself; in
 * floor-batched.mjs all steps that wait at that moment share a statement and a commit. A worker that starts is taken for the only one:
 * what had begun is its own to go on with.
 */
export async function openFloor({ url, role }, { room, recorder, kinds }) {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  const waiting = new Map();
  if (role !== "worker") await listen(url, "floor_end", (id) => waiting.get(id)?.());
  const start = async (kind, count) => {
    const text = "insert into floor_run (kind, steps) values ($1, $2) returning id";
    const { rows } = await pool.query({ name: "start", text, values: [kind, count] });
    return rows[0].id;
  };
  return {
    kinds,
    async prepare() {
      await pool.query(`
        create table floor_run (id bigint generated always as identity primary key, kind text not null, steps int not null,
          taken int not null default 0, is_open boolean not null default true, result jsonb);
        create index floor_open on floor_run (id) where is_open;
        create table floor_step (run_id bigint, name text, output jsonb, primary key (run_id, name))`);
    },
    work: () => work(pool, url, { room, recorder }),
    async enqueue(kind, runs, count) {
      await inFlight(20, runs, () => start(kind, count));
    },
    async runToEnd(kind, count) {
      const id = await start(kind, count);
      const ended = new Promise((resolve) => waiting.set(id, resolve));
      await pool.query({ name: "wake", text: "select pg_notify('floor_work', '')" });
      for (;;) {
        const { rows } = await pool.query({
          name: "result",
          text: "select result from floor_run where id = $1",
          values: [id],
        });
        if (rows[0].result) {
          waiting.delete(id);
          return rows[0].result;
        }
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 1_000))]);
      }
    },
    async ended() {
      const { rows } = await pool.query("select count(*)::int as n from floor_run where result is not null");
      return rows[0].n;
    },
  };
}

async function work(pool, url, { room, recorder }) {
  let free = room;
  let look = () => undefined;
  await pool.query("update floor_run set is_open = true where taken > 0 and result is null");
  await listen(url, "floor_work", () => look());
  const [record, end] = [
    ["record", RECORD],
    ["end", END],
  ].map(([name, text]) => recorder((rows) => pool.query({ name, text, values: columns(rows) })));
  const done = async (id) => {
    const { rows } = await pool.query("select name, output from floor_step where run_id = $1", [id]);
    return new Map(rows.map(({ name, output }) => [name, output]));
  };
  const run = async ({ id, kind, steps: count, taken }) => {
    const kept = taken > 1 ? await done(id) : undefined;
    const step = async (name, body) => {
      if (kept?.has(name)) return kept.get(name);
      const output = await body();
      await record([id, name, JSON.stringify(output)]);
      return output;
    };
    const transaction = (name, account) => credited(pool, [id, name, account]);
    const result = await (kind === "credits" ? credits(count, transaction) : steps(count, step));
    await end([id, JSON.stringify(result)]);
    free++;
    look();
  };
  let looking = false;
  look = async () => {
    if (looking || free === 0) return;
    looking = true;
    const { rows } = await pool.query({
      name: "claim",
      text: `update floor_run set is_open = false, taken = taken + 1 where id in
        (select id from floor_run where is_open order by id limit $1 for update skip locked) returning id, kind, steps, taken`,
      values: [free],
    });
    looking = false;
    free -= rows.length;
    for (const row of rows) void run(row);
    if (rows.length > 0) void look();
  };
  setInterval(() => look(), 250);
  await look();
}

const RECORD =
  "insert into floor_step (run_id, name, output) select * from unnest($1::bigint[], $2::text[], $3::jsonb[])";
/** The note goes with the commit, whose rate it lowers: an end is one statement of many. */
const END = `with ended as (
    update floor_run set result = given.result from unnest($1::bigint[], $2::jsonb[]) as given (id, result)
    where floor_run.id = given.id returning floor_run.id)
  select pg_notify('floor_end', id::text) from ended`;

const columns = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));

/** The four statements of a transaction that writes to the app's database: none can share its commit. */
async function credited(pool, [id, name, account]) {
  const client = await pool.connect();
  await client.query("begin");
  await client.query({ name: "credit", text: CREDIT, values: [account] });
  await client.query({
    name: "record-one",
    text: "insert into floor_step values ($1, $2, 'null')",
    values: [id, name],
  });
  await client.query("commit");
  client.release();
}

async function listen(url, channel, onNote) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`listen ${channel}`);
  client.on("notification", ({ payload }) => onNote(payload));
}
