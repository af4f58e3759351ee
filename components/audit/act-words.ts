import type { AuditRow } from "@/lib/api/contract/run";
import type { OperationAct } from "@/lib/engine/operation";
import type { OperatorAct } from "@/lib/engine/operator-acts";
import type { ScheduleAct } from "@/lib/engine/schedule-acts";
import type { Look } from "../status/look";

interface Words {
  /** Of what was done, and of what was tried; the target follows. */
  did: string;
  tried: string;
}

type AuditedAct =
  | OperatorAct
  | `schedule_${ScheduleAct}`
  | "close_intake"
  | "open_intake"
  | "change_limits"
  | "execute_plan"
  | OperationAct;

const ACTS: Record<AuditedAct, Words> = {
  rerun: { did: "reran", tried: "rerun" },
  pause: { did: "paused", tried: "pause" },
  resume: { did: "resumed", tried: "resume" },
  wake: { did: "woke", tried: "wake" },
  cancel: { did: "cancelled", tried: "cancel" },
  compensate: { did: "asked to undo", tried: "undo" },
  settle: { did: "settled", tried: "settle" },
  mark_compensated: { did: "settled the undo of", tried: "settle the undo of" },
  answer: { did: "answered", tried: "answer" },
  send_event: { did: "sent an event to", tried: "send an event to" },
  schedule_fire: { did: "fired", tried: "fire" },
  schedule_backfill: { did: "backfilled", tried: "backfill" },
  schedule_pause: { did: "paused", tried: "pause" },
  schedule_resume: { did: "resumed", tried: "resume" },
  schedule_edit: { did: "edited", tried: "edit" },
  schedule_reset: { did: "reset", tried: "reset" },
  close_intake: { did: "closed the intake of", tried: "close the intake of" },
  open_intake: { did: "opened the intake of", tried: "open the intake of" },
  execute_plan: { did: "began", tried: "begin" },
  pause_operation: { did: "paused", tried: "pause" },
  resume_operation: { did: "resumed", tried: "resume" },
  abort_operation: { did: "aborted", tried: "abort" },
  change_operation_rate: { did: "changed the rate of", tried: "change the rate of" },
  change_limits: { did: "changed the limits of", tried: "change the limits of" },
};

/** An act that this console does not know yet is called by its own name. */
export function verbOf({ act, result }: Pick<AuditRow, "act" | "result">): string {
  const words = (ACTS as Record<string, Words>)[act] ?? { did: act, tried: act };
  return result === "done" ? words.did : `tried to ${words.tried}`;
}

export const RESULT_LOOKS = {
  done: { shape: "check", word: "Done", tone: "green" },
  denied: { shape: "slash", word: "Denied", tone: "amber" },
  failed: { shape: "octagon", word: "Failed", tone: "amber" },
} as const satisfies Record<AuditRow["result"], Look>;
