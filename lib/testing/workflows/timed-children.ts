import { z } from "zod";
import type { AwaitedChildOptions } from "../../engine/workflows/call-options";
import { type Context, defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { until } from "../until";
import type { TestEngine } from "../workers/engine";

const input = z.object({});

export const sleeps = (ctx: Context) => ctx.sleep("long", "1h");

/** A parent with one child, which sleeps for an hour unless `code` says otherwise. */
export function aTimedFamily(
  name: string,
  options: AwaitedChildOptions,
  code: (ctx: Context) => Promise<unknown> = sleeps,
): { parent: Workflow; child: Workflow } {
  const child: Workflow = defineWorkflow({ name: `${name}-child`, input }, code);
  const parent: Workflow = defineWorkflow({ name, input }, (ctx) => ctx.child("work", child, {}, options));
  return { parent, child };
}

/** The audit row of a child that this parent waited for no longer. */
export const byItsTimeout = (parentId: string, waited: string) => ({
  actor: `run ${parentId}`,
  act: "cancel",
  reason: `Its parent waited ${waited} for it, and no longer`,
});

/** What tests ask about such families. */
export function timedFamilies(engine: Pick<TestEngine, "rows">) {
  const childrenOf = (runId: string) =>
    engine.rows<{ id: string; status: string }>(
      "select id::text, status from handrail.run where parent_run_id = $1 order by id",
      [runId],
    );
  return {
    childrenOf,
    childOf: (runId: string) => until("The child", async () => (await childrenOf(runId))[0]?.id),
    auditOf: (runId: string) =>
      engine.rows<{ actor: string; act: string; reason: string }>(
        "select actor, act, reason from handrail.audit where run_id = $1 order by seq",
        [runId],
      ),
    /**
     * The timeouts of the run's steps are over, however long they were. At once, and not during a pass, which has read
     * when they would be over and says so again when it rests.
     */
    makeDue: (runId: string) =>
      until("A moment without a pass", async () => {
        const made = await engine.rows(
          `with run as (
            update handrail.run set revision = revision + 1, due_at = case when due_at is not null then clock_timestamp() - interval '1 ms' end
            where id = $1 and status <> 'running' returning id)
          update handrail.step set next_attempt_at = clock_timestamp() - interval '1 ms' from run
          where run_id = run.id and next_attempt_at is not null returning run_id`,
          [runId],
        );
        return made.length > 0;
      }),
  };
}

/** For workers in processes: waits a moment for a child that has a child itself, and says how that ended. */
const leaf = defineWorkflow({ name: "late-leaf", input }, sleeps);
const late = defineWorkflow({ name: "late-child", input }, (ctx) => ctx.child("leaf", leaf, {}));
export const impatient = defineWorkflow({ name: "impatient", input }, (ctx) =>
  ctx.child("late", late, {}, { timeout: "500ms" }).catch((error) => error.code as string),
);

export const workflows = [leaf, late, impatient];
