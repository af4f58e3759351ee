import { setTimeout as delay } from "node:timers/promises";
import { accountCredit } from "../../../demo/workflows/account-credit/account-credit";
import type { ChildConsole } from "../../../lib/testing/processes/crash";
import { until } from "../../../lib/testing/until";
import { acknowledgedBy } from "../clients";
import type { Scene } from "../scene";

const EVERY_MS = 200;
/** Rounds under way at once: in an outage, no more begin. */
const MOST_AT_ONCE = 20;
const WAIT_MS = 5_000;
const PATIENCE_MS = 120_000;

interface Result {
  id: string;
  status: string;
  output: unknown;
}

/**
 * Starts a run over HTTP five times a second, waits for its result, and keeps when that came: as long as nothing comes,
 * something of console, database and workers does not serve. Every result that came must still be there at the end.
 */
export class Pulse {
  private readonly results: Result[] = [];
  /** By performance.now(). */
  private readonly beats: number[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private beating = true;
  private readonly done: Promise<void>;
  private failure: unknown;
  /** Runs that were acknowledged, and then not found. */
  private readonly unseen = new Set<string>();

  constructor(
    private readonly scene: Scene,
    private readonly api: ChildConsole,
  ) {
    this.done = this.beat();
  }

  /** Until results of so many runs came that were started from now on. */
  async untilMore(count: number): Promise<void> {
    const wanted = this.beats.length + this.underWay.size + count;
    const come = () => {
      if (this.failure) throw this.failure;
      return this.beats.length >= wanted;
    };
    await until(`Results of ${count} more runs`, come, PATIENCE_MS);
  }

  /** The longest time without a result that ended after `since`: when it ended, and its length, in milliseconds. */
  longestSilence(since: number): { endedAt: number; ms: number } {
    const silences = this.beats.map((endedAt, index) => ({
      endedAt,
      ms: endedAt - (this.beats[index - 1] ?? endedAt),
    }));
    return silences
      .filter(({ endedAt }) => endedAt > since)
      .reduce((longest, one) => (one.ms > longest.ms ? one : longest), { endedAt: since, ms: 0 });
  }

  async stop(): Promise<void> {
    this.beating = false;
    await this.done;
    await Promise.all(this.underWay);
    if (this.failure) throw this.failure;
  }

  /** How many results came, of which none may be another one now. */
  async check(): Promise<number> {
    const rows = await this.scene.rows<Pick<Result, "id" | "status">>(
      "select id, status from handrail.run where id = any ($1::uuid[])",
      [this.results.map(({ id }) => id)],
    );
    const now = new Map(rows.map(({ id, status }) => [id, status]));
    const lost = this.results.filter(({ id, status }) => now.get(id) !== status);
    this.scene.check(lost.length === 0, "P6", `${lost.length} outcomes that a client was given are others now`);
    this.scene.check(this.unseen.size === 0, "P1", `${this.unseen.size} acknowledged runs were not found for a time`);
    return this.results.length;
  }

  private async beat(): Promise<void> {
    for (; this.beating; await delay(EVERY_MS)) {
      if (this.underWay.size >= MOST_AT_ONCE) continue;
      const round: Promise<void> = this.round()
        .catch((error) => {
          this.failure ??= error;
        })
        .finally(() => this.underWay.delete(round));
      this.underWay.add(round);
    }
  }

  private async round(): Promise<void> {
    const word = this.scene.word();
    const input = { accountId: `pulse-${word}`, amountCents: 1 };
    const start = { workflow: accountCredit.name, input, idempotencyKey: `pulse-${word}` };
    const { id } = await acknowledgedBy<{ id: string }>(this.api, "/v1/runs", start);
    this.scene.note({ id, workflow: accountCredit.name, input, mayBe: ["completed"] });
    const result = await until("The run's end", () => this.resultOf(id), PATIENCE_MS);
    this.beats.push(performance.now());
    this.results.push(result);
  }

  private async resultOf(id: string): Promise<Result | undefined> {
    const answer = await fetch(`${this.api.url}/v1/runs/${id}/result?waitMs=${WAIT_MS}`).catch(() => undefined);
    if (answer?.status === 200) return (await answer.json()) as Result;
    // It is counted, and asked for again: whether it was lost or only not seen shows at the end.
    if (answer?.status === 404) this.unseen.add(id);
    else if (answer && answer.status >= 400 && answer.status < 500 && answer.status !== 429)
      throw new Error(`The result of run ${id} was answered ${answer.status}: ${await answer.text()}`);
    if (answer?.status !== 202) await delay(EVERY_MS);
    return undefined;
  }
}
