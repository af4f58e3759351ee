import type { Look } from "@/components/parts/status/look";
import { WORDS } from "@/lib/actions/words";
import type { AuditRow } from "@/lib/api/contract/run";
import type { OperationAct } from "@/lib/engine/operations/operation";
import type { ProblemAct } from "@/lib/engine/problems/problem";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";
import type { ScheduleAct } from "@/lib/engine/schedules/schedule-acts";

interface Words {
  /** For actions that were done and for attempts; the target follows. */
  did: string;
  tried: string;
  /** Standalone, as in a list of choices. */
  name: string;
}

type AccessAct =
  | "sign_in"
  | "accept_invitation"
  | "join"
  | "invite_person"
  | "change_person"
  | "mint_token"
  | "revoke_token"
  | "revoke_session";

type DestinationAct =
  | "add_destination"
  | "change_destination"
  | "rotate_secret"
  | "remove_destination"
  | "test_destination"
  | "redeliver"
  | "send_report"
  | "switch_off_destination";

type AlertAct =
  | "add_alert_rule"
  | "change_alert_rule"
  | "remove_alert_rule"
  | "test_alert_rule"
  | "mute_alert_rule"
  | "acknowledge_alert";

type AuditedAct =
  | OperatorAct
  | `schedule_${ScheduleAct | "put"}`
  | "close_intake"
  | "open_intake"
  | "change_limits"
  | "change_guards"
  | "request_approval"
  | "approve_plan"
  | "reject_plan"
  | "execute_plan"
  | OperationAct
  | `problem_${ProblemAct}`
  | AccessAct
  | "save_view"
  | "change_view"
  | "delete_view"
  | DestinationAct
  | AlertAct
  | "mark_deploy"
  | "publish_verification"
  | "unmask";

const ACTS: Record<AuditedAct, Words> = {
  ...ofRuns(),
  mark_deploy: { did: "marked a deploy", tried: "mark a deploy", name: "Mark a deploy" },
  publish_verification: {
    did: "published a verification of",
    tried: "publish a verification of",
    name: "Publish a verification",
  },
  unmask: { did: "viewed the masked values of", tried: "view the masked values of", name: "Show masked values" },
  schedule_fire: { did: "ran", tried: "run", name: "Run a schedule now" },
  schedule_backfill: { did: "backfilled", tried: "backfill", name: "Backfill a schedule" },
  schedule_pause: { did: "paused", tried: "pause", name: "Pause a schedule" },
  schedule_resume: { did: "resumed", tried: "resume", name: "Resume a schedule" },
  schedule_edit: { did: "edited", tried: "edit", name: "Edit a schedule" },
  schedule_reset: { did: "reset", tried: "reset", name: "Reset a schedule" },
  schedule_put: { did: "set", tried: "set", name: "Set a schedule" },
  schedule_remove: { did: "removed", tried: "remove", name: "Remove a schedule" },
  close_intake: { did: "paused new runs of", tried: "pause new runs of", name: "Pause new runs" },
  open_intake: { did: "resumed new runs of", tried: "resume new runs of", name: "Resume new runs" },
  request_approval: {
    did: "requested approval of a plan",
    tried: "request approval of a plan",
    name: "Request approval",
  },
  approve_plan: { did: "approved a plan", tried: "approve a plan", name: "Approve a plan" },
  reject_plan: { did: "rejected a plan", tried: "reject a plan", name: "Reject a plan" },
  execute_plan: { did: "started", tried: "start", name: "Start an operation" },
  pause_operation: { did: "paused", tried: "pause", name: "Pause an operation" },
  resume_operation: { did: "resumed", tried: "resume", name: "Resume an operation" },
  abort_operation: { did: "aborted", tried: "abort", name: "Abort an operation" },
  change_operation_rate: {
    did: "changed the rate of",
    tried: "change the rate of",
    name: "Change the rate of an operation",
  },
  problem_probe: { did: "probed a problem of", tried: "probe a problem of", name: "Probe a problem" },
  problem_stop_probe: {
    did: "stopped the probe of a problem of",
    tried: "stop the probe of a problem of",
    name: "Stop a probe",
  },
  problem_assign: { did: "assigned a problem of", tried: "assign a problem of", name: "Assign a problem" },
  problem_note: {
    did: "added a note to a problem of",
    tried: "add a note to a problem of",
    name: "Add a note to a problem",
  },
  problem_mute: { did: "muted a problem of", tried: "mute a problem of", name: "Mute a problem" },
  problem_resolve: { did: "resolved a problem of", tried: "resolve a problem of", name: "Resolve a problem" },
  problem_reopen: { did: "reopened a problem of", tried: "reopen a problem of", name: "Reopen a problem" },
  problem_watch: { did: "began to watch a problem of", tried: "watch a problem of", name: "Watch a problem" },
  problem_unwatch: {
    did: "stopped watching a problem of",
    tried: "stop watching a problem of",
    name: "Stop watching a problem",
  },
  save_view: { did: "saved a view", tried: "save a view", name: "Save a view" },
  change_view: { did: "changed a view", tried: "change a view", name: "Change a view" },
  delete_view: { did: "deleted a view", tried: "delete a view", name: "Delete a view" },
  change_limits: { did: "changed the limits of", tried: "change the limits of", name: "Change limits" },
  change_guards: {
    did: "changed masking or approval rules of",
    tried: "change masking or approval rules of",
    name: "Change masking or approval rules",
  },
  sign_in: { did: "signed in", tried: "sign in", name: "Sign in" },
  accept_invitation: { did: "accepted an invitation", tried: "accept an invitation", name: "Accept an invitation" },
  join: { did: "joined by a group of the sign-in provider", tried: "join", name: "Join through a group" },
  invite_person: { did: "invited", tried: "invite", name: "Invite a person" },
  change_person: { did: "changed the access of", tried: "change the access of", name: "Change a person" },
  mint_token: { did: "created the token", tried: "create the token", name: "Create a token" },
  revoke_token: { did: "revoked the token", tried: "revoke the token", name: "Revoke a token" },
  add_destination: { did: "added the destination", tried: "add the destination", name: "Add a destination" },
  change_destination: {
    did: "changed the destination",
    tried: "change the destination",
    name: "Change a destination",
  },
  rotate_secret: {
    did: "rotated the secret of the destination",
    tried: "rotate the secret of the destination",
    name: "Rotate a signing secret",
  },
  remove_destination: {
    did: "removed the destination",
    tried: "remove the destination",
    name: "Remove a destination",
  },
  test_destination: {
    did: "sent a test to the destination",
    tried: "send a test to the destination",
    name: "Test a destination",
  },
  send_report: { did: "sent a report on", tried: "send a report on", name: "Send a report" },
  redeliver: {
    did: "resent a message to the destination",
    tried: "resend a message to the destination",
    name: "Resend a message",
  },
  switch_off_destination: {
    did: "switched off the destination",
    tried: "switch off the destination",
    name: "Switch off a destination",
  },
  add_alert_rule: { did: "added the alert rule", tried: "add the alert rule", name: "Add an alert rule" },
  change_alert_rule: { did: "changed the alert rule", tried: "change the alert rule", name: "Change an alert rule" },
  remove_alert_rule: { did: "removed the alert rule", tried: "remove the alert rule", name: "Remove an alert rule" },
  test_alert_rule: { did: "tested the alert rule", tried: "test the alert rule", name: "Test an alert rule" },
  mute_alert_rule: { did: "muted or unmuted the alert rule", tried: "mute the alert rule", name: "Mute an alert rule" },
  acknowledge_alert: { did: "acknowledged the alert", tried: "acknowledge the alert", name: "Acknowledge an alert" },
  revoke_session: { did: "ended a session", tried: "end a session", name: "End a session" },
};

function ofRuns() {
  const words = Object.entries(WORDS).map(([act, { did, tried, name }]) => [act, { did, tried, name }]);
  return Object.fromEntries(words) as Record<OperatorAct, Words>;
}

export const ACT_OPTIONS = Object.entries(ACTS).map(([value, { name }]) => ({ value, text: name }));

/** An action that this console does not know is shown by its raw name. */
export function verbOf({ act, result }: Pick<AuditRow, "act" | "result">): string {
  const words = (ACTS as Record<string, Omit<Words, "name">>)[act] ?? { did: act, tried: act };
  return result === "done" ? words.did : `tried to ${words.tried}`;
}

export const RESULT_LOOKS = {
  done: { shape: "check", word: "Done", tone: "green" },
  denied: { shape: "slash", word: "Denied", tone: "amber" },
  failed: { shape: "octagon", word: "Failed", tone: "amber" },
} as const satisfies Record<AuditRow["result"], Look>;
