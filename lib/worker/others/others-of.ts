import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { Workflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import type { Notifier } from "../../store/database/notifier";
import type { ParentWaker } from "../children/parent-waker";
import type { Pass } from "../passes/pass";
import type { Others } from "./others";

/** Of a worker: passes of its own stop at once; other workers learn of a commit as they do of an operator's. */
export const othersOf = (
  { auditKeys, workflows }: { auditKeys: AuditKeys; workflows: readonly Workflow[] },
  passes: ReadonlyMap<string, Pass>,
  notifier: Notifier,
  parents: ParentWaker,
): Others => ({
  auditKeys,
  code: codeHere(workflows),
  onChanged: ({ cancelled = [], parentRunId = null, sent = false }) => {
    for (const runId of cancelled) passes.get(runId)?.rest.stop("cancelled");
    notifier.changeAtOnce(cancelled);
    if (parentRunId !== null) parents.notify(parentRunId);
    if (sent) notifier.work();
  },
});
