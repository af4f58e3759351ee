import { setTimeout as delay } from "node:timers/promises";
import { prepareStart } from "../../lib/engine/runs/start";
import { ChangeFeed } from "../../lib/operator/changes/change-feed";
import { EndWaits } from "../../lib/operator/changes/end-waits";
import { Notifier } from "../../lib/store/database/notifier";
import { insertManyRuns, insertRunOnce } from "../../lib/store/runs/start-run";
import { anApi } from "../../lib/testing/api/api";
import { TEST_AUDIT_KEY } from "../../lib/testing/audit-keys";
import type { Bench } from "./bench";
import { ChildWorker } from "./child-process";
import { atLeast, atMost, type Figure, median, ms, perSecond } from "./figure";
import { drain } from "./throughput";
import { threeSteps, told } from "./workflows";

const STARTS = 150;
const WAITERS = 1_000;
const RUNS = 4_000;
const ROUNDS = 4;

/** Resolves when the notification of the run's end arrived. */
type Hear = (runId: string) => Promise<unknown>;

/**
 * How long after a run's row is final its end is reported, by a worker in another process; and what publishing ends
 * costs.
 */
export async function ends(bench: Bench): Promise<Figure[]> {
  process.env.DATABASE_URL = bench.databaseUrl;
  process.env.HANDRAIL_AUDIT_KEY = TEST_AUDIT_KEY;
  const api = await anApi();
  const worker = await ChildWorker.start(bench.databaseUrl);
  const feed = new ChangeFeed(bench.databaseUrl);
  const waits = new EndWaits(bench.db, feed);
  const inProcess: Hear = (runId) => waits.untilEnd(runId, aWait());
  const overHttp: Hear = (runId) => api.ask("GET", `/v1/runs/${runId}/result?waitMs=60000`);
  const stream = await aStream(api);
  await lags(bench, inProcess, 20);
  const figures = [
    ...asFigures("in process", await lags(bench, inProcess)),
    ...asFigures("result?waitMs", await lags(bench, overHttp)),
    ...asFigures("stream", await lags(bench, stream.hear)),
    await fiftyWaiters(bench, inProcess),
    await sequentialStarter(bench, worker),
  ];
  stream.close();
  for (const runId of await sleepingRuns(bench)) void waits.untilEnd(runId, aWait());
  await delay(500);
  figures.push(...asFigures(`in process, beside ${WAITERS} who wait`, await lags(bench, inProcess)));
  await worker.kill();
  figures.push(await publishing(bench));
  await feed.close();
  return figures;
}

const aWait = () => ({ waitMs: 60_000, signal: new AbortController().signal, by: null });

/** One run after the other: milliseconds from the row's own end to its notification. */
async function lags({ db, pool }: Bench, hear: Hear, starts = STARTS): Promise<number[]> {
  const notifier = new Notifier(db);
  const measured: number[] = [];
  for (let n = 0; n < starts; n++) {
    const { id } = await insertRunOnce(db, await prepareStart(threeSteps, { n }));
    notifier.work();
    await hear(id);
    const heardAt = performance.timeOrigin + performance.now();
    const { rows } = await pool.query<{ at: number }>(
      "select (extract(epoch from finished_at) * 1000)::float8 as at from handrail.run where id = $1",
      [id],
    );
    measured.push(heardAt - (rows[0]?.at ?? Number.NaN));
  }
  await notifier.close();
  return measured.sort((a, b) => a - b);
}

function asFigures(how: string, lags: readonly number[]): Figure[] {
  const p50 = median(lags);
  const p95 = lags[Math.floor(lags.length * 0.95)] as number;
  return [
    {
      measure: `end → heard, ${how}, p50 (p95), in ms`,
      measured: `${ms(p50)} (${ms(p95)})`,
      value: p50,
      target: atMost(10),
    },
  ];
}

/** Fifty programs, each of which starts a run and waits for its end before it starts the next. */
async function fiftyWaiters({ db }: Bench, hear: Hear): Promise<Figure> {
  const notifier = new Notifier(db);
  let left = 3_000;
  const since = performance.now();
  const program = async () => {
    while (left-- > 0) {
      const { id } = await insertRunOnce(db, await prepareStart(threeSteps, { n: left }));
      notifier.work();
      await hear(id);
    }
  };
  await Promise.all(Array.from({ length: 50 }, program));
  const rate = 3_000 / ((performance.now() - since) / 1_000);
  await notifier.close();
  return {
    measure: "50 who start and wait, runs a second",
    measured: perSecond(rate),
    value: rate,
    target: atLeast(500),
  };
}

/** A run is started when the first step of the one before has begun. */
async function sequentialStarter({ db }: Bench, worker: ChildWorker): Promise<Figure> {
  const notifier = new Notifier(db);
  const times: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const since = performance.now();
    await insertRunOnce(db, await prepareStart(told, {}));
    notifier.work();
    await worker.nextTold();
    times.push(performance.now() - since);
  }
  await notifier.close();
  const p50 = median(times);
  return {
    measure: "a start → its first step elsewhere, one after the other, p50, in ms",
    measured: ms(p50),
    value: p50,
    target: atMost(10),
  };
}

async function aStream(api: Awaited<ReturnType<typeof anApi>>): Promise<{ hear: Hear; close(): void }> {
  const ended = new AbortController();
  const response = await api.send("GET", "/v1/stream", { signal: ended.signal });
  let heard: (text: string) => void = () => undefined;
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) heard(decoder.decode(chunk));
  })().catch(() => undefined);
  const status = async (runId: string) => (await api.ask("GET", `/v1/runs/${runId}`)).body.status;
  const hear: Hear = (runId) =>
    new Promise<void>((resolve) => {
      heard = (text) => {
        if (text.includes(runId)) void status(runId).then((now) => now === "completed" && resolve());
      };
    });
  return { hear, close: () => ended.abort() };
}

async function sleepingRuns({ db }: Bench): Promise<string[]> {
  const options = { delayMs: 86_400_000 };
  return insertManyRuns(
    db,
    await Promise.all(Array.from({ length: WAITERS }, (_, n) => prepareStart(threeSteps, { n }, options))),
  );
}

/** Queued runs to the last of them done, with their ends published and without, in turn, while a thousand listen. */
async function publishing(bench: Bench): Promise<Figure> {
  const published: number[] = [];
  const silent: number[] = [];
  const { changeAtOnce } = Notifier.prototype;
  const one = async (rates: number[], publish: typeof changeAtOnce) => {
    Notifier.prototype.changeAtOnce = publish;
    rates.push((await drain(bench, 400, RUNS)).perSecond);
  };
  await one([], changeAtOnce);
  for (let round = 0; round < ROUNDS; round++) {
    const turns = [() => one(published, changeAtOnce), () => one(silent, () => undefined)];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  }
  Notifier.prototype.changeAtOnce = changeAtOnce;
  const ratio = median(published.map((rate, round) => rate / (silent[round] as number)));
  return {
    measure: "steps a second with ends published, against without",
    measured: `${perSecond(median(published))} against ${perSecond(median(silent))}`,
    value: ratio,
    target: atLeast(0.97),
  };
}
