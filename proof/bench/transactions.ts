import type { Pool } from "pg";
import { prepareStart } from "../../lib/engine/runs/start";
import { insertManyRuns } from "../../lib/store/runs/start-run";
import { type Bench, startWorker, untilDone } from "./bench";
import { atLeast, type Figure, perSecond } from "./figure";
import { credit } from "./workflows";

const CREDITS = 5_000;
const ACCOUNTS = 1_000;

/** A credit and its checkpoint in one commit, each on one of a thousand accounts. */
export async function transactions(bench: Bench): Promise<Figure[]> {
  await bench.pool.query("create table bench_account (id text primary key, balance bigint not null default 0)");
  await bench.pool.query("insert into bench_account (id) select 'a' || n from generate_series(0, $1) n", [ACCOUNTS]);
  await insertManyRuns(
    bench.db,
    await Promise.all(Array.from({ length: CREDITS }, (_, n) => prepareStart(credit, { account: `a${n % ACCOUNTS}` }))),
  );
  const since = performance.now();
  const worker = await startWorker(bench, { workflows: [credit] });
  await untilDone(bench, credit.name);
  const rate = (CREDITS / (performance.now() - since)) * 1_000;
  await worker.stop();
  const bare = await bareLoop(bench.pool);
  return [
    {
      measure: "transactional credits with their checkpoint, per B50 insert",
      measured: perSecond(rate),
      value: rate / bench.b50,
      target: atLeast(0.3),
    },
    {
      measure: "… per transaction of the same four statements in a bare `pg` loop, without any engine",
      measured: `${perSecond(rate)} against ${perSecond(bare)}, itself ${(bare / bench.b50).toFixed(2)} of B50`,
      value: rate / bare,
      target: atLeast(0.4),
    },
  ];
}

/** As many connections as the bench's worker gives the app. */
const CONNECTIONS = 20;

/** What a transaction that JavaScript runs statement by statement can do at the most: begin, the update, a row, commit. */
async function bareLoop(pool: Pool): Promise<number> {
  await pool.query("create table bench_checkpoint (id bigint generated always as identity primary key, note text)");
  const update = { name: "bare-update", text: "update bench_account set balance = balance + 1 where id = $1" };
  const insert = { name: "bare-insert", text: "insert into bench_checkpoint (note) values ($1)" };
  const credits = async (count: number) => {
    let left = count;
    const since = performance.now();
    const one = async () => {
      const client = await pool.connect();
      for (let n = left--; n > 0; n = left--) {
        await client.query("begin");
        await client.query({ ...update, values: [`a${n % ACCOUNTS}`] });
        await client.query({ ...insert, values: ["kept"] });
        await client.query("commit");
      }
      client.release();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
    return (count / (performance.now() - since)) * 1_000;
  };
  await credits(1_000);
  return credits(CREDITS);
}
