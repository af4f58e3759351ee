import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { OPERATION_RESUMED, OPERATION_WORKFLOW, OPERATIONS_KEPT_MS } from "../../engine/operations/operation";
import { keptFor } from "../../engine/runs/retention";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { carryOutNext, type OperationDesk } from "./carry-out-item";

/** A step carries items out for this long; then its outcome is kept and the next one begins. */
const STEP_MS = 15_000;
/** Between two checks of runs that are still being judged. */
const LOOK_MS = 1_000;

/**
 * The workflow that executes plans; every worker runs it beside the app's workflows. Its progress is in the operation's
 * rows, not in its steps: a repeated step continues after the last item's transaction.
 * @param keepMs default retention of ended runs; null for OPERATIONS_KEPT_MS
 */
export function operationWorkflow(desk: OperationDesk, keepMs: number | null = null): Workflow {
  return defineWorkflow(
    {
      name: OPERATION_WORKFLOW,
      title: "Operation",
      input: z.strictObject({ operationId: z.uuid() }),
      retention: keptFor(keepMs ?? OPERATIONS_KEPT_MS),
      retry: { maxAttempts: 20, initialDelayMs: 500, factor: 2, maxDelayMs: 30_000 },
    },
    async (ctx, { operationId }) => {
      for (let part = 1; ; part++) {
        // Each item is recorded in its own transaction, once: a lost worker leaves no unknown outcome.
        const next = await ctx.step(`carry-out-${part}`, ({ signal }) => carryOutForAWhile(desk, operationId, signal), {
          effect: "pure",
        });
        if (next === "end") return { operationId };
        if (next === "resumption") await ctx.waitForEvent(`resumption-${part}`, { event: OPERATION_RESUMED });
      }
    },
  );
}

type Next = "more" | "resumption" | "end";

async function carryOutForAWhile(desk: OperationDesk, operationId: string, signal: AbortSignal): Promise<Next> {
  const began = performance.now();
  let due = began;
  while (!signal.aborted && performance.now() - began < STEP_MS) {
    const beat = await carryOutNext(desk, operationId);
    if (beat.next === "end" || beat.next === "resumption") return beat.next;
    // By elapsed time, so that slow items do not lower the requested rate; but never in a burst.
    due = Math.max(due + (beat.next === "wait" ? LOOK_MS : 1_000 / beat.ratePerSecond), performance.now() - 1_000);
    const pauseMs = due - performance.now();
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  return "more";
}
