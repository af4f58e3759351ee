import type { AuditKeys } from "../../engine/audit/audit-keys";
import type { WorkflowCode } from "../../engine/workflows/workflow-code";
import type { Claim } from "../claims/claim";

/** What a commit has changed. */
export interface Changed {
  /** Runs that were cancelled, or asked to end. */
  cancelled?: string[];
  /** Of one that has ended. */
  parentRunId?: string | null;
  /** An event: there may be something to claim. */
  sent?: boolean;
}

/** What steps that act on other runs need of their worker. */
export interface Others {
  auditKeys: AuditKeys;
  /** To check payloads by the definitions of this worker's workflows. */
  code: WorkflowCode;
  /** After the commit; if it is lost with this process, polls and sweeps find the same. */
  onChanged(changed: Changed): void;
}

/** As the audit log and events name the run that did it. */
export const nameOf = ({ run }: Claim): string => `run ${run.id}`;
