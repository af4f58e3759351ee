import pg from "pg";
import { inFlight, steps } from "./work.mjs";

/*
 * No product: the least SQL that makes a step durable before the next one starts, and an end that a client hears of by LISTEN.
 * What an engine takes beyond this is its price for everything else it does. floor-one.mjs commits each step by itself; in
 * floor-batched.mjs all steps that wait at that moment share a statement and a commit.
 */
export async function openFloor({ url, role }, { room, recorder }) {
  const pool = new pg.Pool({ connectionString: url, max: 20 });
  const waiting = new Map();
  if (role === "client") await listen(url, "floor_end", (id) => waiting.get(id)?.());
  const start = async (count) => {
    const text = "insert into floor_run (steps) values ($1) returning id";
    const { rows } = await pool.query({ name: "start", text, values: [count] });
    return rows[0].id;
  };
  return {
    async prepare() {
      await pool.query(`
        create table floor_run (id bigint generated always as identity primary key, steps int not null, taken boolean not null default false, result jsonb);
        create index floor_open on floor_run (id) where not taken;
        create table floor_step (run_id bigint, name text, output jsonb, primary key (run_id, name))`);
    },
    async work() {
      let free = room;
      let look = () => undefined;
      await listen(url, "floor_work", () => look());
      const [record, end] = [
        ["record", RECORD],
        ["end", END],
      ].map(([name, text]) => recorder((rows) => pool.query({ name, text, values: columns(rows) })));
      const run = async ({ id, steps: count }) => {
        const result = await steps(count, async (name, body) => {
          const output = body();
          await record([id, name, JSON.stringify(output)]);
          return output;
        });
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
          text: `update floor_run set taken = true where id in
            (select id from floor_run where not taken order by id limit $1 for update skip locked) returning id, steps`,
          values: [free],
        });
        looking = false;
        free -= rows.length;
        for (const row of rows) void run(row);
        if (rows.length > 0) void look();
      };
      setInterval(() => look(), 250);
      await look();
    },
    async enqueue(runs, count) {
      await inFlight(20, runs, () => start(count));
    },
    async runToEnd(count) {
      const id = await start(count);
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

const RECORD =
  "insert into floor_step (run_id, name, output) select * from unnest($1::bigint[], $2::text[], $3::jsonb[])";
/** The note goes with the commit, whose rate it lowers: an end is one statement of many. */
const END = `with ended as (
    update floor_run set result = given.result from unnest($1::bigint[], $2::jsonb[]) as given (id, result)
    where floor_run.id = given.id returning floor_run.id)
  select pg_notify('floor_end', id::text) from ended`;

const columns = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));

async function listen(url, channel, onNote) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`listen ${channel}`);
  client.on("notification", ({ payload }) => onNote(payload));
}
