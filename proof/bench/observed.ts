import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { prepareStart } from "../../lib/engine/runs/start";
import { WorkerMetrics } from "../../lib/library/worker-metrics";
import { insertManyRuns } from "../../lib/store/runs/start-run";
import { Tally } from "../../lib/worker/claims/tally";
import { freePort } from "../../scripts/ports";
import type { Bench } from "./bench";
import { atLeast, atMost, type Figure, median, perSecond } from "./figure";
import { serverCpuMs } from "./server-cost";
import { spanCost } from "./span-cost";
import { threeCalls, threeSteps } from "./workflows";

/** What the three steps of a run do: nothing, or one request each to a server on this machine. */
type Bodies = "empty" | "calls";

/** What may be on in a worker's process. */
type Signal = "metrics" | "captured logs" | "one run in a hundred traced" | "every run traced";
export interface Order {
  databaseUrl: string;
  bodies: Bodies;
  signals: readonly Signal[];
  /** Of the worker's /metrics. */
  port: number;
  /** Of the server that takes spans and answers bodies. */
  receiver: string;
}
export interface Drained {
  ms: number;
  /** Of the worker's process. */
  cpuMs: number;
}

const RUNS = { empty: 8_000, calls: 2_000 };
const FOR_MS = Number(process.env.BENCH_SECONDS ?? 300) * 1_000;
const SCRAPE_MS = 2_000;
const ROUNDS_OF_A_PROCESS = 8;
const DRAINS_TO_WARM = 3;

/** Each signal alone, and all: drains by processes that differ in nothing else, in turn, each compared with those without any. */
export async function observed(bench: Bench): Promise<Figure[]> {
  const { stepMs, figures } = await drains(bench, "empty");
  const { url, close } = await collector();
  const spans = await spanCost(stepMs, url);
  close();
  return [...figures, spans, counting(stepMs), await exposing()];
}

/** The same with bodies that do what steps are for. */
export const observedCalls = async (bench: Bench): Promise<Figure[]> => (await drains(bench, "calls")).figures;

async function drains(bench: Bench, bodies: Bodies): Promise<{ stepMs: number; figures: Figure[] }> {
  const receiver = await collector();
  const everything: Signal[] = ["metrics", "captured logs", "one run in a hundred traced"];
  const arms = await Promise.all(
    [[], ...everything.map((signal) => [signal]), everything, ["every run traced"] satisfies Signal[]].map(
      async (on) =>
        new Arm({
          databaseUrl: bench.databaseUrl,
          bodies,
          signals: on,
          port: await freePort(),
          receiver: receiver.url,
        }),
    ),
  );
  const [off, ...on] = arms as [Arm, ...Arm[]];
  const until = performance.now() + FOR_MS;
  for (let round = 0; performance.now() < until; round++) {
    // A process keeps the luck of its first seconds (what was compiled how, where its heap lies): it is not asked for long.
    if (round % ROUNDS_OF_A_PROCESS === 0) for (const arm of arms) await arm.renew(bench);
    // The place in a round must not matter: something else of the machine begins or ends within it.
    const turn = round % arms.length;
    for (const arm of [...arms.slice(turn), ...arms.slice(0, turn)]) await arm.drain(bench);
  }
  for (const arm of arms) arm.stop();
  receiver.close();
  process.stdout.write(
    `  (${receiver.requests()} requests of spans, ${arms.map(({ scrapes }) => scrapes).join(", ")} scrapes)\n`,
  );
  return {
    stepMs: median(off.figures.map(({ ownMs }) => ownMs)),
    figures: on.flatMap((arm) => figuresOf(arm, off)),
  };
}

/** What a step costs for the metrics, which a drain on a busy machine cannot tell from nothing. */
function counting(stepMs: number): Figure {
  const tally = new Tally();
  const count = (times: number) => {
    for (let n = 0; n < times; n++) tally.attempted(n % 7 === 0 ? "retry" : "completed", (n % 3) + 1);
  };
  const TIMES = 20_000_000;
  count(TIMES);
  const ms = cpuMsOf(() => count(TIMES)) / TIMES;
  return {
    measure: "counting an attempt, of the worker's processor time a step",
    measured: `${(ms * 1e6).toFixed(0)} ns of ${(stepMs * 1e6).toFixed(0)}`,
    value: ms / stepMs,
    target: atMost(0.01),
  };
}

/** With a scrape each SCRAPE_MS: the share of a core. */
async function exposing(): Promise<Figure> {
  const metrics = new WorkerMetrics();
  const TIMES = 200;
  for (let n = 0; n < TIMES; n++) await metrics.text();
  const before = process.cpuUsage();
  for (let n = 0; n < TIMES; n++) await metrics.text();
  const { user, system } = process.cpuUsage(before);
  const ms = (user + system) / 1_000 / TIMES;
  return {
    measure: `the text of a worker's metrics each ${SCRAPE_MS} ms, of a core`,
    measured: `${ms.toFixed(2)} ms`,
    value: ms / SCRAPE_MS,
    target: atMost(0.01),
  };
}

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function figuresOf(arm: Arm, off: Arm): Figure[] {
  const name = `${arm.signals.join(", ")}${arm.order.bodies === "calls" ? ", bodies that ask a server" : ""}`;
  const compare = (
    measure: string,
    of: (cost: Cost) => number,
    target: Figure["target"],
    inWords: (value: number) => string,
  ) => {
    const rises = target.at === "least";
    const [on, without] = [undisturbed(arm.figures.map(of), rises), undisturbed(off.figures.map(of), rises)];
    const pairs = arm.figures.map((cost, round) => of(cost) / of(off.figures[round] as Cost));
    return {
      measure,
      measured: `${inWords(on)} against ${inWords(without)}; ${spread(pairs)}`,
      value: on / without,
      target,
    };
  };
  const ms = (value: number) => `${value.toFixed(4)} ms`;
  return [
    compare(`steps a second with ${name}, against nothing on`, ({ perSecond }) => perSecond, atLeast(0.97), perSecond),
    compare("the same, processor time a step, worker and server", ({ cpuMs }) => cpuMs, atMost(1.03), ms),
    compare("the same, of the worker alone", ({ ownMs }) => ownMs, atMost(1.03), ms),
  ];
}

/** What else the machine does only slows a drain down: its better quartile says what it is without that. */
function undisturbed(values: readonly number[], rises: boolean): number {
  const sorted = values.toSorted((a, b) => (rises ? b - a : a - b));
  return sorted[Math.floor(sorted.length / 4)] as number;
}

/** Half of the pairs of a round lie within these. */
function spread(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] as number).toFixed(2);
  return `half of ${ratios.length} pairs within ${at(0.25)} and ${at(0.75)}`;
}

/** Of one drain; times are of a step. */
interface Cost {
  perSecond: number;
  cpuMs: number;
  ownMs: number;
}

/** A worker's process, and what its drains cost. */
class Arm {
  readonly figures: Cost[] = [];
  scrapes = 0;

  private child: ChildProcess | undefined;

  constructor(readonly order: Order) {}

  get signals(): readonly Signal[] {
    return this.order.signals;
  }

  /** Goes on with another process, which is warm. */
  async renew(bench: Bench): Promise<void> {
    this.stop();
    const script = fileURLToPath(new URL("observed-child.ts", import.meta.url));
    const args = ["--max-semi-space-size=32", "--import", "tsx", script, JSON.stringify(this.order)];
    this.child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    await once(this.child, "message");
    for (let n = 0; n < DRAINS_TO_WARM; n++) await this.drained(bench);
  }

  async drain(bench: Bench): Promise<void> {
    this.figures.push(await this.drained(bench));
  }

  private async drained(bench: Bench): Promise<Cost> {
    const child = this.child as ChildProcess;
    const { bodies, receiver } = this.order;
    const steps = RUNS[bodies] * 3;
    const starts = Array.from({ length: RUNS[bodies] }, (_, n) =>
      bodies === "empty" ? prepareStart(threeSteps, { n }) : prepareStart(threeCalls, { url: `${receiver}/charges` }),
    );
    await insertManyRuns(bench.db, await Promise.all(starts));
    await bench.pool.query("checkpoint");
    const scraping = this.signals.includes("metrics") ? setInterval(() => void this.scrape(), SCRAPE_MS) : undefined;
    if (scraping) void this.scrape();
    const before = await serverCpuMs(bench.pool);
    child.send("drain");
    const [{ ms, cpuMs }] = (await once(child, "message")) as [Drained];
    clearInterval(scraping);
    return {
      perSecond: (steps / ms) * 1_000,
      cpuMs: ((await serverCpuMs(bench.pool)) - before + cpuMs) / steps,
      ownMs: cpuMs / steps,
    };
  }

  stop(): void {
    this.child?.kill("SIGKILL");
  }

  private async scrape(): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.order.port}/metrics`);
    if ((await response.text()).includes("handrail_worker_attempts_total{")) this.scrapes++;
  }
}

/** Takes spans as a collector does, and keeps none; answers the requests of bodies. What it costs is not the worker's. */
async function collector(): Promise<{ url: string; requests: () => number; close: () => void }> {
  let count = 0;
  const server = createServer((request, response) => {
    if (request.url === "/v1/traces") count++;
    request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => count,
    close: () => server.close().closeAllConnections(),
  };
}
