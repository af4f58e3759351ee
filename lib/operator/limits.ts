import { HandrailError } from "../engine/errors";
import { type LiveLimits, NO_LIMITS, refusedLimits } from "../engine/queue";
import { writeAudit } from "../store/audit";
import { lockLimits, setLimits } from "../store/queue-limits";
import { answeredOnce } from "./answered-once";
import type { Desk } from "./command";
import { readWorkflow, type WorkflowView } from "./workflow-view";

export interface LimitsAct extends Partial<LiveLimits> {
  workflow: string;
  reason: string;
}

/**
 * Puts an operator's limits over those of the code, live; with neither, the code's are back.
 * @throws HandrailError `unknown_workflow` or `not_allowed`; nothing is written then
 */
export async function changeLimits(desk: Desk, act: LimitsAct): Promise<WorkflowView> {
  const { workflow, reason, ...given } = act;
  const asked = { ...NO_LIMITS, ...given };
  const { body } = await desk.db.transaction((tx) =>
    answeredOnce(tx, desk.request, async () => {
      const before = await lockLimits(tx, workflow);
      if (!before) throw new HandrailError("unknown_workflow", `No worker has told of a workflow named "${workflow}".`);
      const refused = refusedLimits(workflow, before.declared, asked);
      if (refused) throw new HandrailError("not_allowed", refused);
      await setLimits(tx, workflow, asked, desk.actor);
      await writeAudit(tx, {
        actor: desk.actor,
        act: "change_limits",
        runId: null,
        step: null,
        workflow,
        reason,
        before: { limits: before.live },
        after: { limits: asked },
        requestKey: desk.request?.key ?? null,
      });
      return { status: 200, body: await readWorkflow(tx, workflow) };
    }),
  );
  // After the commit: whoever has room looks again at once.
  desk.notifier.work();
  return body;
}
