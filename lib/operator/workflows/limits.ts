import { HandrailError } from "../../engine/errors";
import { type LiveLimits, NO_LIMITS, refusedLimits } from "../../engine/queues/queue";
import { lockLimits, setLimits } from "../../store/queues/queue-limits";
import { checkWindowZones } from "../../store/queues/window-zones";
import { type Attempt, audited } from "../audit/audited";
import type { Desk } from "../desk";
import { readWorkflow, type WorkflowView } from "./workflow-view";

interface LimitsAct extends Partial<LiveLimits> {
  workflow: string;
  reason: string;
}

/**
 * Overrides the code's limits while running; with neither limit, the code's apply again.
 * @throws HandrailError `unknown_workflow`, `not_allowed`, or `invalid_request` for a zone that PostgreSQL does not know; nothing is changed then
 */
export async function changeLimits(desk: Desk, act: LimitsAct): Promise<WorkflowView> {
  const { workflow, reason, ...given } = act;
  const limits = { ...NO_LIMITS, ...given };
  const attempt: Attempt = { act: "change_limits", runId: null, workflow, reason, details: { limits } };
  const { body } = await audited(desk, attempt, async (tx, record) => {
    const before = await lockLimits(tx, workflow);
    if (!before)
      throw new HandrailError("unknown_workflow", `No worker has registered a workflow named "${workflow}".`);
    attempt.before = { limits: before.live };
    const refused = refusedLimits(workflow, before.declared, limits);
    if (refused) throw new HandrailError("not_allowed", refused);
    await setLimits(tx, workflow, limits, desk.by.name);
    await checkWindowZones(tx, [workflow], [], "invalid_request");
    await record({});
    return { status: 200, body: await readWorkflow(tx, workflow) };
  });
  // After the commit: workers with free capacity check again at once.
  desk.notifier.work();
  return body;
}
