import { prepareStart } from "../lib/engine/start";
import { insertManyRuns } from "../lib/store/start-run";
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
  return [
    {
      measure: "transactional credits with their checkpoint, per B50 insert",
      measured: perSecond(rate),
      value: rate / bench.b50,
      target: atLeast(0.3),
    },
  ];
}
