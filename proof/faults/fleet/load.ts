import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../../../lib/env";
import { TEST_AUDIT_KEY } from "../../../lib/testing/audit-keys";
import { compiled } from "../../../lib/testing/processes/compiled";
import { until } from "../../../lib/testing/until";
import type { Random } from "../random";
import { type Cell, type Deploy, TENANT } from "./order";
import type { OrderToStart, Said, StarterOrders } from "./starter";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));
const STARTER = fileURLToPath(new URL("starter.ts", import.meta.url));
const PAUSE_MS = 50;
/** So that starts of one key meet. */
const LONGEST_LAG_MS = 15;
const PATIENCE_MS = 120_000;
const STARTERS = [0, 1] as const;
export type StarterIndex = (typeof STARTERS)[number];

/** A business key that the starters have been given. */
export interface Tried extends OrderToStart {
  /** By performance.now(). */
  since: number;
  /** What each starter was last answered, and how often. */
  acknowledged: Map<StarterIndex, number>;
  ids: Set<string>;
  /** How many answers said that they had made the run. */
  created: number;
  error?: string;
}

export interface Acknowledged {
  key: string;
  cell: Cell;
  /** The first answer to any start of this key. */
  isFirst: boolean;
  /** By performance.now(). */
  at: number;
}

/** The processes of a fleet: a worker for each cell, and two starters that are given the same keys, new ones and old ones, all the time. */
export class Load {
  readonly tried = new Map<string, Tried>();
  readonly acknowledged: Acknowledged[] = [];
  private readonly workers = new Map<Cell, ChildProcess>();
  private readonly starters = new Map<StarterIndex, ChildProcess>();
  private pumping = true;
  private pump: Promise<void> = Promise.resolve();
  /** Keys from before are not started again. */
  private repeatedSince = 0;

  private constructor(
    private readonly urls: Readonly<Record<Cell, string>>,
    private readonly random: Random,
    private readonly ledgerUrl: string,
    private readonly name: string,
  ) {}

  static async start(
    deploy: Deploy,
    setup: { urls: Readonly<Record<Cell, string>>; random: Random; ledgerUrl: string; name: string },
  ): Promise<Load> {
    const load = new Load(setup.urls, setup.random, setup.ledgerUrl, setup.name);
    try {
      await Promise.all([
        ...deploy.cells.map((cell) => load.work(cell)),
        ...STARTERS.map((index) => load.deploy(index, deploy)),
      ]);
    } catch (error) {
      await load.kill();
      throw error;
    }
    load.pump = load.giveKeys();
    return load;
  }

  /** A worker's process for this cell, in place of the one that it had. */
  async work(cell: Cell): Promise<void> {
    await end(this.workers.get(cell));
    const env = { FLEET_CELL: this.urls[cell] };
    this.workers.set(cell, await this.spawn(WORKER, env, () => undefined));
  }

  /** SIGKILLs a starter. Another one with this deploy takes its place, and starts every key again. */
  async deploy(index: StarterIndex, deploy: Deploy): Promise<void> {
    await this.killStarter(index);
    const orders: StarterOrders = { deploy, urls: this.urls };
    const env = { FLEET_STARTER: JSON.stringify(orders) };
    const child = await this.spawn(STARTER, env, (said) => this.hear(index, said as Said));
    this.starters.set(index, child);
    for (const { key, tenant, since, acknowledged } of this.tried.values())
      if (!acknowledged.has(index) || since >= this.repeatedSince) this.give(index, { key, tenant });
  }

  async killStarter(index: StarterIndex): Promise<void> {
    await end(this.starters.get(index));
    this.starters.delete(index);
  }

  async killWorker(cell: Cell): Promise<void> {
    await end(this.workers.get(cell));
  }

  /** From now on only younger keys are started again; resolves when both starters have acknowledged the older ones. */
  async leaveOlderThan(since: number): Promise<void> {
    this.repeatedSince = since;
    const older = [...this.tried.values()].filter((tried) => tried.since < since);
    await until("The acknowledgement of older keys", () => older.every(isAcknowledged), PATIENCE_MS);
  }

  /** So many acknowledged starts more that this is true of. */
  async untilMore(count: number, isOne: (start: Acknowledged) => boolean = () => true): Promise<void> {
    const from = this.acknowledged.length;
    const more = () => this.acknowledged.slice(from).filter(isOne).length >= count;
    await until(`The acknowledgement of ${count} more starts`, more, PATIENCE_MS);
  }

  /** No new keys; resolves when each is acknowledged by both starters, or patience ends. */
  async finish(): Promise<void> {
    this.pumping = false;
    await this.pump;
    const all = () => [...this.tried.values()].every(isAcknowledged);
    // What is missing then is for the judge.
    await until("The acknowledgement of every key", all, PATIENCE_MS).catch(() => undefined);
  }

  async kill(): Promise<void> {
    this.pumping = false;
    await this.pump;
    await Promise.all([...this.starters.values(), ...this.workers.values()].map(end));
  }

  private async giveKeys(): Promise<void> {
    for (let count = 1; this.pumping; count++) {
      const [key, tenant] = [`${this.name} order ${count}`, this.random.pick([TENANT, "other"])];
      const since = performance.now();
      this.tried.set(key, { key, tenant, since, acknowledged: new Map(), ids: new Set(), created: 0 });
      for (const index of STARTERS) void this.giveLater(index, { key, tenant });
      const old = this.random.pick([...this.tried.values()].filter((tried) => tried.since >= this.repeatedSince));
      if (old) void this.giveLater(this.random.pick(STARTERS), old);
      await delay(PAUSE_MS);
    }
  }

  /** So that now one starter is the first, now the other. */
  private async giveLater(index: StarterIndex, order: OrderToStart): Promise<void> {
    await delay(this.random.below(LONGEST_LAG_MS));
    this.give(index, order);
  }

  /** A starter that is being replaced is given it with the next one. */
  private give(index: StarterIndex, { key, tenant }: OrderToStart): void {
    const starter = this.starters.get(index);
    if (starter?.connected) starter.send({ key, tenant }, () => undefined);
  }

  private hear(index: StarterIndex, said: Said): void {
    const tried = this.tried.get(said.key);
    if (!tried) return;
    if ("error" in said) {
      tried.error = said.error;
      return;
    }
    const isFirst = tried.ids.size === 0;
    tried.acknowledged.set(index, (tried.acknowledged.get(index) ?? 0) + 1);
    tried.ids.add(said.id);
    if (said.created) tried.created++;
    this.acknowledged.push({ key: said.key, cell: said.cell, isFirst, at: performance.now() });
  }

  private async spawn(
    script: string,
    env: Record<string, string>,
    hear: (said: unknown) => void,
  ): Promise<ChildProcess> {
    const child = spawn(process.execPath, compiled(script), {
      env: environmentWith({
        ...env,
        HANDRAIL_AUDIT_KEY: TEST_AUDIT_KEY,
        HANDRAIL_FAULT_LEDGER: this.ledgerUrl,
        HANDRAIL_LOG: "silent",
      }),
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    let isReady = false;
    child.on("message", (said) => {
      if (said === "ready") isReady = true;
      else hear(said);
    });
    await until("The start of a process", () => isReady || hasEnded(child), PATIENCE_MS);
    if (hasEnded(child)) throw new Error(`A process ended at its start with ${child.signalCode ?? child.exitCode}.`);
    return child;
  }
}

export const isAcknowledged = ({ acknowledged }: Tried): boolean => STARTERS.every((index) => acknowledged.has(index));

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** At once. */
async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
