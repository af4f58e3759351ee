import type { ProblemAct } from "../problems/problem";
import { ACT_PERMISSIONS, type Openness, type OperatorAct } from "../runs/operator-acts";
import type { ScheduleAct } from "../schedules/schedule-acts";

/** Roles in ascending order: each includes the permissions of the ones before. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

export type Action =
  | `run.${"read" | "start" | OperatorAct}`
  | `schedule.${"read" | "put" | ScheduleAct}`
  | `workflow.${"read" | "change_limits" | "close_intake" | "open_intake"}`
  | `plan.${"make" | "execute" | "approve"}`
  | `operation.${"read" | "control"}`
  | `problem.${"read" | ProblemAct}`
  | `view.${"save" | "share"}`
  | "board.read"
  | "overview.read"
  | "metrics.read"
  | "system.read"
  | "audit.read"
  | "payload.read"
  | "event.send"
  | "sandbox.change"
  | "deploy.mark"
  | "worker.work"
  | "worker.drive"
  | "span.write"
  | "access.manage"
  | "destination.manage"
  | "report.send"
  | `alert.${"read" | "acknowledge" | "mute" | "manage"}`;

interface ActionRule {
  /** The lowest role that includes this action; null: no role does, it is granted separately. */
  least: Role | null;
  /** `one`: concerns one workflow, or is checked per workflow. `all`: concerns all workflows, not only the caller's. */
  reach: "one" | "all";
  /** Completes the sentence "You may not …". */
  words: string;
}

const viewer = (words: string, reach: ActionRule["reach"] = "one"): ActionRule => ({ least: "viewer", reach, words });
const operator = (words: string, reach: ActionRule["reach"] = "one"): ActionRule => ({
  least: "operator",
  reach,
  words,
});
const apart = (words: string, reach: ActionRule["reach"] = "one"): ActionRule => ({ least: null, reach, words });

/** Actions on runs that cannot be taken back. */
const FOR_ADMINS: readonly string[] = ["delete", "erase"] satisfies OperatorAct[];

const RULES: Record<Action, ActionRule> = {
  "run.read": viewer("look at runs"),
  "run.start": operator("start runs"),
  ...ofRunActs(),
  "schedule.read": viewer("look at schedules"),
  "schedule.fire": operator("fire schedules"),
  "schedule.backfill": operator("backfill schedules"),
  "schedule.pause": operator("pause schedules"),
  "schedule.resume": operator("resume schedules"),
  "schedule.edit": operator("edit schedules"),
  "schedule.reset": operator("reset schedules"),
  "schedule.put": operator("make and change schedules"),
  "schedule.remove": operator("remove schedules"),
  "workflow.read": viewer("look at workflows"),
  "workflow.change_limits": operator("change limits"),
  "workflow.close_intake": operator("close intakes"),
  "workflow.open_intake": operator("open intakes"),
  "plan.make": operator("plan acts on runs"),
  "plan.execute": operator("carry plans out"),
  "plan.approve": operator("approve plans", "all"),
  "operation.read": viewer("look at operations"),
  "operation.control": operator("control operations"),
  "problem.read": viewer("look at problems"),
  "problem.probe": operator("probe problems"),
  "problem.stop_probe": operator("stop probes of problems"),
  "problem.assign": operator("assign problems"),
  "problem.note": operator("write notes on problems"),
  "problem.mute": operator("mute problems"),
  "problem.resolve": operator("resolve problems"),
  "problem.reopen": operator("reopen problems"),
  "problem.watch": viewer("watch problems"),
  "problem.unwatch": viewer("stop watching problems"),
  "view.save": viewer("keep views of the runs"),
  "view.share": operator("share views with the team"),
  "board.read": viewer("look at what waits for people"),
  "overview.read": viewer("look at the overview", "all"),
  "metrics.read": viewer("read metrics", "all"),
  "system.read": viewer("look at the system"),
  "audit.read": operator("look at the audit", "all"),
  "payload.read": apart("look at masked values"),
  "event.send": operator("send events to keys", "all"),
  "sandbox.change": operator("change the sandbox", "all"),
  "deploy.mark": operator("mark deploys or publish verifications", "all"),
  "worker.work": apart("work on runs"),
  "worker.drive": apart("drive runs", "all"),
  "alert.read": viewer("look at alerts"),
  "alert.acknowledge": operator("acknowledge alerts"),
  "alert.mute": operator("mute alert rules"),
  "alert.manage": { least: "admin", reach: "all", words: "manage alert rules" },
  "span.write": apart("send spans", "all"),
  "destination.manage": { least: "admin", reach: "all", words: "manage notification destinations" },
  "report.send": operator("send reports to destinations"),
  "access.manage": { least: "admin", reach: "all", words: "manage who may do what" },
};

function ofRunActs() {
  const rules = Object.entries(ACT_PERMISSIONS).map(([act, words]) => [
    `run.${act}`,
    { least: FOR_ADMINS.includes(act) ? "admin" : "operator", reach: "one", words },
  ]);
  return Object.fromEntries(rules) as Record<`run.${OperatorAct}`, ActionRule>;
}

export const ACTIONS = Object.keys(RULES) as Action[];

/** What a token grants: all actions of a role, or one action. */
export type Scope = Role | Action;
export const SCOPES: readonly Scope[] = [...ROLES, ...ACTIONS];

/** What a caller is permitted to do. */
export interface Permissions {
  actions: ReadonlySet<Action>;
  /** Only these workflows; null: every workflow. */
  workflows: readonly string[] | null;
}

/** All permissions: for a Handrail without sign-in, and for the bootstrap token. */
export const EVERYTHING: Permissions = { actions: new Set(ACTIONS), workflows: null };

/** For an unknown caller. */
export const NOTHING: Permissions = { actions: new Set(), workflows: [] };

/** Tokens for Prometheus were made with this scope before metrics had one: they keep reading them. */
const BEFORE_METRICS_READ: Action = "overview.read";

/** An unknown scope, such as a removed one, grants nothing. */
export function actionsOf(scopes: readonly string[]): ReadonlySet<Action> {
  return new Set(
    ACTIONS.filter((action) => {
      const { least } = RULES[action];
      const roles = least === null ? [] : ROLES.slice(ROLES.indexOf(least));
      if (action === "metrics.read" && scopes.includes(BEFORE_METRICS_READ)) return true;
      return scopes.includes(action) || roles.some((role) => scopes.includes(role));
    }),
  );
}

/**
 * Whether the caller may perform this action on these workflows. The server enforces it, the button explains with it.
 * @param workflows the workflows concerned; empty if the answer is filtered per workflow
 */
export function may(caller: Permissions, action: Action, workflows: readonly string[] = []): Openness {
  const { reach, words, least } = RULES[action];
  if (!caller.actions.has(action)) {
    const who = least === null ? "It is granted apart from roles." : `It takes the role ${least}.`;
    return { open: false, because: `You may not ${words}. ${who}` };
  }
  const { workflows: allowed } = caller;
  if (allowed === null) return { open: true };
  if (reach === "all") return { open: false, because: `You may not ${words}: it concerns every workflow.` };
  const foreign = workflows.filter((workflow) => !allowed.includes(workflow));
  return foreign.length === 0 ? { open: true } : { open: false, because: `You may not ${words} of "${foreign[0]}".` };
}

/** Whether the caller may grant this: only what they may do. Admins may also grant what is granted separately. */
export function mayGrant({ actions }: Permissions, scopes: readonly string[]): Openness {
  const isAdmin = [...actionsOf(["admin"])].every((action) => actions.has(action));
  const mayHandOn = (action: Action) => actions.has(action) || (isAdmin && RULES[action].least === null);
  const beyond = [...actionsOf(scopes)].find((action) => !mayHandOn(action));
  if (beyond === undefined) return { open: true };
  return { open: false, because: `You may not grant what you may not do: ${RULES[beyond].words}.` };
}

/** Whether the caller may read data of this workflow. */
export const seesWorkflow = ({ workflows }: Permissions, workflow: string): boolean =>
  workflows === null || workflows.includes(workflow);

/** Whether the caller may unmask values. */
export const seesMasked = ({ actions }: Pick<Permissions, "actions">): boolean => actions.has("payload.read");
