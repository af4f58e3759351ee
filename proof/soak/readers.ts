import { setTimeout as delay } from "node:timers/promises";
import { type OwnServer, startOwnServer } from "../../e2e/support/own-server";
import { TEST_AUDIT_KEY } from "../../lib/testing/audit-keys";
import { residentMb } from "../bench/latency";
import type { Random } from "../faults/random";

const READERS = 20;
/** How long a person looks at a page: the same in a short soak. */
const PAGE_EVERY_MS = 5_000;

/** What the browser asks for on each page; `run` is one of the list. */
const PAGES: readonly ((run: string) => string[])[] = [
  () => ["/overview", "/flow?window=1h"],
  () => ["/runs", "/runs/counts", "/runs/histogram"],
  () => ["/runs?workflow=order&status=completed", "/runs/counts?workflow=order"],
  (run) => [`/runs/${run}`, `/runs/${run}/steps`, `/runs/${run}/normal`],
  () => ["/problems"],
  () => ["/workers", "/workflows/order/flow?window=1h"],
];

/** People who use the console, each a page every five seconds. */
export class Readers {
  private took: number[] = [];
  private run: string | undefined;
  requests = 0;
  /** Answers that are neither what was asked for, nor that a run is gone. */
  readonly refused: string[] = [];

  private constructor(
    private readonly console: OwnServer,
    private readonly random: Random,
  ) {}

  static async open(databaseUrl: string, random: Random): Promise<Readers> {
    const settings = { DATABASE_URL: databaseUrl, HANDRAIL_SIGN_IN: "off", HANDRAIL_AUDIT_KEY: TEST_AUDIT_KEY };
    const server = await startOwnServer(settings);
    await server.said(/Handrail is running/);
    return new Readers(server, random);
  }

  consoleMb(): number {
    return residentMb(this.console.pidOf("console"));
  }

  /** Of the requests since the last call. */
  p95(): number | null {
    const sorted = this.took.toSorted((a, b) => a - b);
    this.took = [];
    return sorted[Math.floor(sorted.length * 0.95)] ?? null;
  }

  async read(isOver: () => boolean): Promise<void> {
    await Promise.all(Array.from({ length: READERS }, (_, reader) => this.readOn(reader, isOver)));
  }

  async close(): Promise<void> {
    await this.console.stop();
  }

  private async readOn(reader: number, isOver: () => boolean): Promise<void> {
    await delay((reader * PAGE_EVERY_MS) / READERS);
    while (!isOver()) {
      const paths = this.random.pick(PAGES)(this.run ?? "");
      if (this.run !== undefined || !paths[0]?.endsWith("/")) await Promise.all(paths.map((path) => this.ask(path)));
      await delay(PAGE_EVERY_MS);
    }
  }

  private async ask(path: string): Promise<void> {
    const began = performance.now();
    const response = await fetch(`${this.console.url}/api/v1${path}`);
    const body = await response.text();
    this.took.push(performance.now() - began);
    this.requests++;
    const isGone = response.status === 404 && path.includes(this.run ?? "–");
    if (response.status !== 200 && !isGone) this.refused.push(`${path}: ${response.status} ${body.slice(0, 200)}`);
    if (path === "/runs" && response.ok) this.run = (JSON.parse(body) as { runs: { id: string }[] }).runs[0]?.id;
  }
}
