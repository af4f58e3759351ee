import { setTimeout as delay } from "node:timers/promises";
import type { ChildConsole } from "../../lib/testing/processes/crash";
import { until } from "../../lib/testing/until";
import { SAMPLES } from "./load";
import type { Scene } from "./scene";

const EVENT = "news";
/** A client asks again after this long. */
const PAUSE_MS = 20;
/** Far longer than any failover. */
const PATIENCE_MS = 120_000;

/**
 * A client of the HTTP API that starts runs and sends events, one after the other, each again under the same key until
 * it is acknowledged. Every acknowledged one must exist at the end.
 */
export class Client {
  private readonly events: string[] = [];
  private asking = true;
  private readonly done: Promise<void>;

  constructor(
    private readonly scene: Scene,
    private readonly api: ChildConsole,
    private readonly workflows: readonly string[],
    private readonly pauseMs = PAUSE_MS,
  ) {
    this.done = this.ask();
  }

  /** Until so many more runs were acknowledged. */
  async untilMore(count: number): Promise<void> {
    const wanted = this.events.length + count;
    await until(`${count} more acknowledgements`, () => this.events.length >= wanted);
  }

  async stop(): Promise<void> {
    this.asking = false;
    await this.done;
  }

  /** P1 of starts is the judge's; this is about events. */
  async check(): Promise<void> {
    const rows = await this.scene.rows<{ id: string }>("select id::text from handrail.event where name = $1", [EVENT]);
    const there = new Set(rows.map(({ id }) => id));
    const lost = this.events.filter((id) => !there.has(id));
    this.scene.check(lost.length === 0, "P1", `${lost.length} of ${this.events.length} acknowledged events are gone`);
  }

  private async ask(): Promise<void> {
    for (; this.asking; await delay(this.pauseMs)) {
      await this.start();
      await this.send();
    }
  }

  private async start(): Promise<void> {
    const { workflow, input } = this.scene.random.pick(
      SAMPLES.filter((sample) => this.workflows.includes(sample.workflow.name)),
    );
    const word = this.scene.word();
    const given = input?.(word) ?? {};
    const body = { workflow: workflow.name, input: given, idempotencyKey: `client-${word}` };
    const { id } = await acknowledgedBy<{ id: string }>(this.api, "/v1/runs", body);
    this.scene.note({ id, workflow: workflow.name, input: given, mayBe: ["completed"] });
  }

  private async send(): Promise<void> {
    const word = this.scene.word();
    const body = { name: EVENT, key: word, id: word, payload: { word } };
    this.events.push(String((await acknowledgedBy<{ id: unknown }>(this.api, "/v1/events", body)).id));
  }
}

/** Asks until it is answered. @throws if it is refused */
export function acknowledgedBy<Body>(api: ChildConsole, path: string, body: object, key?: string): Promise<Body> {
  const ask = async () => {
    const answer = await api.post(path, body, key).catch(() => undefined);
    if (answer && answer.status < 300) return answer.body as Body;
    if (answer && answer.status < 500 && answer.status !== 429)
      throw new Error(`POST ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await delay(PAUSE_MS);
    return undefined;
  };
  return until(`The acknowledgement of POST ${path}`, ask, PATIENCE_MS) as Promise<Body>;
}
