import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { accountCredit } from "../../../demo/workflows/account-credit/account-credit";
import { compensate, markCompensated } from "../../../lib/testing/actions";
import { aRegisteredWorker, claimOne } from "../../../lib/testing/rows/claims";
import { until } from "../../../lib/testing/until";
import type { Fault } from "../fault";
import { openLine } from "../line";
import type { Scene } from "../scene";
import { trouble } from "../world";

const STORE = fileURLToPath(new URL("../../../lib/store/", import.meta.url));

const RECORDS = ["record-one", "record-many"];

/** Of several shapes, each named with this prefix. */
const PREFIXES = [...RECORDS, "claim-runs", "claim-own", "claim-begun"];

/** Every statement of the store by its name, as the source has them: new ones are included automatically. */
const NAMED_IN_SOURCE = readdirSync(STORE, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.startsWith("reads/"))
  .flatMap((file) =>
    [...readFileSync(STORE + file, "utf8").matchAll(/\bname: "([a-z-]+)"/g)].map(([, name]) => name as string),
  );

const STATEMENTS = [...new Set([...NAMED_IN_SOURCE, ...PREFIXES])];

/** What every worker has to send before all runs have ended, including a silent worker's loss and a compensation. */
const SAID_BY_WORKERS = [
  ...["beat", "claim-runs", ...RECORDS, "fence"],
  ...["open-queue-lanes", "lock-queue-lanes", "take-from-queues", "settle-queue-lanes"],
  ...["lock-event-keys", "lock-run-for-events", "look-for-events", "take-events", "keep-event-waits"],
  ...["take-permits", "call-for-permits", "wake-for-permit"],
  ...["wake-parents", "child-outcomes", "lock-due-schedules", "fire", "move-schedules-on"],
  ...["lock-silent-workers", "take-over", "bury-workers", "begin-undo", "keep-undo"],
];

/**
 * A statement's name as it occurs in a Bind message: "beat" is not the end of "heartbeat".
 */
const named = (name: string) => (PREFIXES.includes(name) ? `\0${name}` : `\0${name}\0`);

const eachStatement = (mode: "cut" | "loseAnswer", how: string): Fault => ({
  name: mode === "cut" ? "connection lost before each statement" : "answer lost of each statement",
  how,
  async strike(scene) {
    const struck = new Set<string>();
    const proxy = await scene.proxy();
    await leaveWork(scene);
    for (const name of STATEMENTS) void proxy[mode](named(name)).then(() => struck.add(name));
    // As a launcher does with a worker that could not begin.
    const startWorker = () =>
      until("A worker's start", () => scene.worker({ url: proxy.url, connections: 10 }).catch(() => undefined));
    let worker = await startWorker();
    // One by one, so that their statements are not all batched into one.
    for (let round = 0; round < 6; round++) {
      await scene.load(1);
      await delay(100);
    }
    const missed = () => SAID_BY_WORKERS.filter((name) => !struck.has(name));
    const allStruck = async () => {
      if (worker.isLost()) worker = await startWorker();
      if (await scene.isQuiet()) await scene.load(1);
      if (missed().includes("record-one")) await holdSomeRun(scene);
      return missed().length === 0;
    };
    await until("Every statement", allStruck).catch(() => undefined);
    await scene.untilQuiet();
    scene.check(missed().length === 0, "P1", `not struck, so that nothing is proven of them: ${missed()}`);
    return struck.size;
  },
});

/** The record of a locked run is left out of its flush, and sent alone. */
async function holdSomeRun(scene: Scene): Promise<void> {
  const client = await scene.database.pool.connect();
  await client.query("begin");
  await client.query("select from handrail.run where worker_id is not null limit 1 for update skip locked");
  await delay(30);
  await client.query("rollback");
  client.release();
}

/** Makes a worker send every kind of statement: an order to compensate, and a run whose worker has fallen silent. */
async function leaveWork(scene: Scene): Promise<void> {
  const [order] = await scene.load(1, ["order-fulfilment"]);
  if (!order) return;
  const first = await scene.worker();
  await scene.untilQuiet();
  await first.stop();
  await compensate(scene.desk(), { runId: order.id, reason: "The customer went away." });
  const done = { runId: order.id, step: "send-confirmation", outcome: "compensated", note: "Wrote." } as const;
  await markCompensated(scene.desk(), done);
  scene.allow(order, "compensated");
  await scene.load(1, [accountCredit.name]);
  await claimOne(scene.db, accountCredit, await aRegisteredWorker(scene.db, { leaseMs: 500 }));
}

/**
 * A transaction has committed and its worker gets no answer; Prisma writes the word in capitals, pg and the engine do
 * not.
 */
const lostCommits: Fault = {
  name: "answer of COMMIT lost",
  how: "commits, of transactional steps and of the engine's own transactions, are carried out and their answers lost, 12 times",
  async strike(scene) {
    const proxy = await scene.proxy();
    let struck = 0;
    await scene.worker({ url: proxy.url });
    for (const [word, times] of [["commit\0", 9] as const, ["COMMIT\0", 3] as const])
      for (let time = 0; time < times; time++) void proxy.loseAnswer(word).then(() => struck++);
    await scene.load(3);
    await scene.untilQuiet();
    return struck;
  },
};

/** Half-open: no byte passes and no connection ends. The worker must give up, and another one finish. */
const blackHole: Fault = {
  name: "network gone black",
  how: "no byte passes between one worker and the database, and no connection ends",
  async strike(scene) {
    await trouble(scene.rig, "payments", { mode: "slow", delayMs: 300 });
    const proxy = await scene.proxy();
    const cutOff = await scene.worker({ url: proxy.url, leaseMs: 4_000 });
    await scene.load(2);
    await until(
      "A run in its hands",
      async () => (await scene.rows("select from handrail.run where worker_id is not null")).length > 0,
    );
    proxy.goBlack();
    await until("The worker's knowledge that its lease is gone", () => cutOff.isLost());
    await scene.worker();
    await scene.untilQuiet();
    proxy.heal();
    return 1;
  },
};

/**
 * What the worker sends arrives, its heartbeats too, but it gets no answers: it must consider itself lost, and others
 * go on.
 */
const oneWay: Fault = {
  name: "one-way network",
  how: "one worker's statements arrive, their answers do not, and no connection ends",
  async strike(scene) {
    await trouble(scene.rig, "payments", { mode: "slow", delayMs: 300 });
    const line = await openLine(scene.database.url);
    scene.atClose(line.close);
    const deaf = await scene.worker({ url: line.url, leaseMs: 4_000 });
    await scene.load(2);
    await until(
      "A run in its hands",
      async () => (await scene.rows("select from handrail.run where worker_id is not null")).length > 0,
    );
    line.swallowAnswers();
    await until("The worker's knowledge that its lease is gone", () => deaf.isLost());
    await scene.worker();
    await scene.untilQuiet();
    line.mend();
    return 1;
  },
};

/** So slow that nothing is lost and everything is late. */
const slowNetwork: Fault = {
  name: "slow network",
  how: "every answer comes 3 s late for 8 s, under a lease of 20 s",
  async strike(scene) {
    const line = await openLine(scene.database.url);
    scene.atClose(line.close);
    const worker = await scene.worker({ url: line.url, leaseMs: 20_000 });
    await scene.load(1);
    line.lag(1_500);
    await scene.load(1);
    await delay(8_000);
    line.mend();
    await scene.untilQuiet();
    scene.check(!worker.isLost(), "P1", "a slow network cost a worker its lease that was not even half over");
    return 1;
  },
};

const heartbeatCut: Fault = {
  name: "heartbeat cut off",
  how: "only the heartbeat does not reach the database, for twice the lease; work goes through",
  async strike(scene) {
    await trouble(scene.rig, "payments", { mode: "slow", delayMs: 400 });
    const proxy = await scene.proxy();
    const worker = await scene.worker({ url: proxy.url, leaseMs: 2_500 });
    await scene.load(2);
    let cuts = 0;
    while (!worker.isLost()) {
      // Its connection is named after it, so a new one is cut as well.
      void proxy.cut("beat").then(() => cuts++);
      await delay(20);
    }
    await scene.worker();
    await scene.untilQuiet();
    return cuts;
  },
};

/** Notifications only accelerate: without them polling finds everything. */
const listenerCut: Fault = {
  name: "LISTEN killed",
  how: "the listening connection is ended again and again while runs start",
  async strike(scene) {
    await scene.worker();
    let killed = 0;
    for (let round = 0; round < 5; round++) {
      await until("The listener", async () => {
        const ended = await scene.rows(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'handrail listener'`);
        return ended.length > 0;
      });
      killed++;
      await scene.load(1);
    }
    await scene.untilQuiet();
    return killed;
  },
};

export const networkFaults: Fault[] = [
  eachStatement("cut", "each named statement of the engine once does not reach the database; the connection breaks"),
  eachStatement("loseAnswer", "each named statement of the engine is carried out once and its answer lost"),
  lostCommits,
  blackHole,
  oneWay,
  slowNetwork,
  heartbeatCut,
  listenerCut,
];
