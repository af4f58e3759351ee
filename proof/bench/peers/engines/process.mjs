import pg from "pg";
import { ACCOUNTS, now, watched } from "./work.mjs";

/*
 * One process of an engine: a worker, a client of it, or both. `node process.mjs <engine> <url> <role>`; its parent asks over IPC,
 * one question after another. An engine is a module with `open({ url, role })`, which returns what it can be asked; `kind` is one of
 * its `kinds`, of work.mjs, and `count` how many steps or children the run has:
 *
 *   kinds                       of the runs that it can do
 *   prepare()                   makes its tables; of the client, before anything else
 *   work()                      begins to take runs; of the worker
 *   enqueue(kind, runs, count)  starts runs, and returns when all are acknowledged
 *   runToEnd(kind, count)       starts one and waits for its result by the engine's own wait: { first, last }
 *   ended()                     how many runs have completed, durably
 */
const [engine, url, role] = process.argv.slice(2);
const { open } = await import(`./${engine}.mjs`);
const opened = await open({ url, role });

const questions = {
  kinds: () => opened.kinds,
  prepare: () => opened.prepare(),
  /** The app's own table. */
  async openAccounts() {
    const app = new pg.Client({ connectionString: url });
    await app.connect();
    await app.query(ACCOUNTS);
    await app.end();
  },
  work: () => opened.work(),
  enqueue: ({ kind, runs, count }) => opened.enqueue(kind, runs, count),
  ended: () => opened.ended(),
  /** One after another, with pauses that no poll can follow. */
  async oneByOne({ kind, runs, count }) {
    const seen = [];
    for (let n = 0; n < runs; n++) {
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80));
      const started = now();
      const { first, last } = await opened.runToEnd(kind, count);
      seen.push({ pickedUpMs: first - started, heardMs: now() - last, tookMs: now() - started });
    }
    return seen;
  },
  /** As many as come to their end in this time, so many at a time. */
  async inFlight({ limit, count, forMs }) {
    const since = now();
    let ended = 0;
    const one = async () => {
      while (now() - since < forMs) {
        await opened.runToEnd("steps", count);
        if (now() - since < forMs) ended++;
      }
    };
    await Promise.all(Array.from({ length: limit }, one));
    return { ended, ms: forMs };
  },
  watch: (given) => Object.assign(watched, given),
  watched: () => watched,
  async spent() {
    const { user, system } = process.cpuUsage();
    return { cpuMs: (user + system) / 1_000, memory: process.memoryUsage().rss };
  },
};

process.on("message", async ({ ask, ...given }) => {
  try {
    process.send({ answer: (await questions[ask](given)) ?? null });
  } catch (error) {
    process.send({ error: `${error?.stack ?? error}` });
  }
});
process.on("disconnect", () => process.exit(0));
process.send({ answer: "ready" });
