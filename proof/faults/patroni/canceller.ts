import { setTimeout as delay } from "node:timers/promises";
import { welcomeReminder } from "../../../demo/workflows/welcome-reminder/welcome-reminder";
import type { ChildConsole } from "../../../lib/testing/processes/crash";
import { acknowledgedBy } from "../clients";
import type { Scene } from "../scene";

const PAUSE_MS = 150;

/**
 * An operator who starts runs that sleep for an hour and cancels each, with the same key until the action is
 * acknowledged. Each acknowledged action must be in the audit log once, and its run cancelled.
 */
export class Canceller {
  private readonly acknowledged: string[] = [];
  private acting = true;
  private readonly done: Promise<void>;

  constructor(
    private readonly scene: Scene,
    private readonly api: ChildConsole,
  ) {
    this.done = this.act();
  }

  async stop(): Promise<void> {
    this.acting = false;
    await this.done;
  }

  /** How many actions were acknowledged, none of which may be missing or there twice. That the runs are cancelled is the judge's. */
  async check(): Promise<number> {
    const rows = await this.scene.rows<{ key: string; times: number }>(
      `select request_key as key, count(*)::int as times from handrail.audit
      where act = 'cancel' and request_key is not null group by request_key`,
    );
    const times = new Map(rows.map((row) => [row.key, row.times]));
    const wrong = this.acknowledged.filter((key) => times.get(key) !== 1);
    const about = `of ${this.acknowledged.length} acknowledged actions, ${wrong.length} are not in the audit log once`;
    this.scene.check(wrong.length === 0, "P9", about);
    return this.acknowledged.length;
  }

  private async act(): Promise<void> {
    for (; this.acting; await delay(PAUSE_MS)) {
      const word = this.scene.word();
      const input = { email: `${word}@cancelled.example`, delaySeconds: 3_600 };
      const start = { workflow: welcomeReminder.name, input, idempotencyKey: `cancelled-${word}` };
      const { id } = await acknowledgedBy<{ id: string }>(this.api, "/v1/runs", start);
      this.scene.note({ id, workflow: welcomeReminder.name, input, mayBe: ["cancelled"] });
      const key = `cancel-${word}`;
      await acknowledgedBy(this.api, `/v1/runs/${id}/cancellation`, { reason: "The customer went away." }, key);
      this.acknowledged.push(key);
    }
  }
}
