import type { EventFilter } from "../engine/events/event-filter";
import { DEFAULT_RETRY } from "../engine/steps/retry-policy";
import { decodeGiven } from "../operator/given-value";
import { planStep } from "../worker/steps/step-plan";
import { StepState } from "../worker/steps/step-state";
import { type Asked, answerWaits } from "../worker/waits/answer-waits";
import { planApproval, planEventWait, type WaitPlan } from "../worker/waits/wait-plan";
import { type Standing, standingOf, waits } from "./answers";
import type { HeldClaim } from "./held-claim";

/** A wait for input from outside: an event that a program sends, or a person's answer. */
export type WaitAsk = {
  /** Longest wait, from the first request on, by the database's clock. Default: none. */
  timeoutMs?: number;
} & (
  | {
      kind: "event";
      event: string;
      /** Also those sent to this business key. */
      key?: string;
      /** Conditions on the payload, by field. */
      where?: Readonly<Record<string, unknown>>;
      /** Parsed JSON: the value on timeout. Without it, the step fails with `wait_timed_out`. */
      default?: unknown;
    }
  | { kind: "approval"; question: string; choices?: string[]; data?: unknown; default?: string }
);

/** @throws HandrailError `invalid_workflow`, `invalid_request` or `invalid_value` */
function planWait(step: string, { timeoutMs, ...asked }: WaitAsk): WaitPlan {
  const timeout = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const given = (field: "default" | "data") =>
    Object.hasOwn(asked, field)
      ? { [field]: decodeGiven(asked[field as keyof typeof asked], `${field} of step "${step}"`) }
      : {};
  if (asked.kind === "event") {
    const { event, key } = asked;
    const where = asked.where as EventFilter | undefined;
    const narrowed = { ...(key !== undefined && { key }), ...(where && { where }) };
    return planEventWait(step, { event, ...narrowed, ...timeout, ...given("default") });
  }
  const { question, choices, default: otherwise } = asked;
  return planApproval(step, {
    question,
    ...(choices && { choices }),
    ...(otherwise !== undefined && { default: otherwise }),
    ...timeout,
    ...given("data"),
  });
}

/**
 * Takes the event if there is one, or leaves the wait on record for senders. The event's key is locked before the run.
 */
export async function askToWait(claim: HeldClaim, step: string, asked: WaitAsk): Promise<Standing> {
  const plan = planWait(step, asked);
  const state = new StepState(planStep(step, asked.kind, {}, DEFAULT_RETRY), claim);
  if (state.live) state.recall(state.live);
  else state.begin();
  const asker = { run: claim.run, follow: () => undefined };
  const [answer] = (await answerWaits(claim.tx, asker, [{ state, plan }])) as [Asked];
  return answer.next === "waiting" ? waits(asked.kind, answer) : standingOf(answer);
}
