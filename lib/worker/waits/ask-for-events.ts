import type { Db } from "../../store/db";
import type { Claim } from "../claims/claim";
import { faultPoint } from "../fault-points";
import type { StepState } from "../steps/step-state";
import { type Asked, answerWaits, type WaitOfStep } from "./answer-waits";
import type { WaitPlan } from "./wait-plan";

interface Entry extends WaitOfStep {
  resolve: (asked: Asked) => void;
  reject: (error: unknown) => void;
}

/** Batches the event waits of one pass into one transaction. */
export class EventInquiry {
  private gathered: Entry[] = [];
  private asking = false;

  constructor(
    private readonly claim: Claim,
    private readonly db: Db,
  ) {}

  ask(state: StepState, plan: WaitPlan): Promise<Asked> {
    return new Promise((resolve, reject) => {
      this.gathered.push({ state, plan, resolve, reject });
      if (!this.asking) void this.askWhileGathered();
    });
  }

  private async askWhileGathered(): Promise<void> {
    this.asking = true;
    // Batches the other waits of this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.gathered.length > 0) {
      const entries = this.gathered.splice(0);
      try {
        const asked = await this.claim.retrying(() => answerWaits(this.db, this.claim, entries));
        await faultPoint("events:after-commit");
        for (const [index, { resolve }] of entries.entries()) resolve(asked[index] as Asked);
      } catch (error) {
        for (const { reject } of entries) reject(error);
      }
    }
    this.asking = false;
  }
}
