import { newIdempotencyKey } from "../../lib/api/client/client";
import type { Plan, PlanRequest } from "../../lib/api/contract/plans";
import { EXIT, type ExitCode } from "../exit-codes";
import { isYes } from "../session/prompts";
import { reasonFor } from "../session/reason";
import type { Session } from "../session/session";
import { Refused, UsageError } from "../session/stops";
import type { ActOptions } from "./choice";
import { planText, planTitle, wordToType } from "./plan-text";
import { finishedText, watchOperation } from "./watch-operation";

/** Plans the action, shows the plan, carries out exactly that once it is confirmed, and watches it. */
export async function actOnRuns(session: Session, request: PlanRequest, options: ActOptions): Promise<ExitCode> {
  const { client, screen, prompts } = session;
  const { dryRun = false, yes = false, rate: ratePerSecond, canary } = options;
  if (!dryRun) refuseUnattended(options, prompts.possible && !screen.json);
  const plan = await client.post("/v1/plans", {}, { request, idempotencyKey: newIdempotencyKey() });
  if (dryRun || !screen.json) screen.answer(plan, (made) => planText(screen, made));
  if (dryRun) return EXIT.done;
  if (plan.counts.included === 0) throw new Refused("Nothing was changed: the plan leaves out every run.");
  const reason = await reasonFor(session, options.reason);
  if (!yes && !(await isConfirmed(session, plan))) throw new Refused("Nothing was changed.");
  const execution = await client.post(
    "/v1/plans/{planId}/executions",
    { planId: plan.id },
    { request: { hash: plan.hash, reason, ratePerSecond, canary }, idempotencyKey: newIdempotencyKey() },
  );
  const operation = await watchOperation(session, execution.id);
  screen.answer(operation, (ended) => finishedText(screen, ended));
  const { total, done, already } = operation.counts;
  return operation.status === "completed" && done + already === total ? EXIT.done : EXIT.refused;
}

/** Before anything is sent: nobody could answer. */
function refuseUnattended({ yes, reason }: ActOptions, attended: boolean): void {
  if (attended) return;
  if (!yes) throw new UsageError("Nobody can be asked here: give --yes to carry the plan out, or --dry-run to see it.");
  if (reason === undefined) throw new UsageError("Give a --reason: it is saved to the audit log.");
}

async function isConfirmed({ prompts }: Session, plan: Plan): Promise<boolean> {
  const word = wordToType(plan);
  if (word === null) return isYes(await prompts.ask(`${planTitle(plan)}? (y/N) `));
  return (await prompts.ask(`${planTitle(plan)}? Type "${word}" to confirm: `)).trim() === word;
}
