import { describe, expect, it } from "vitest";
import { OPERATOR_ACTS } from "../runs/operator-acts";
import { SCHEDULE_ACTS } from "../schedules/schedule-acts";
import { ACTIONS, type Action, actionsOf, EVERYTHING, may, NOTHING, ROLES, seesWorkflow } from "./permission";

const READS: Action[] = [
  "run.read",
  "schedule.read",
  "workflow.read",
  "operation.read",
  "alert.read",
  "board.read",
  "overview.read",
  "metrics.read",
  "problem.read",
  "system.read",
];
/** Actions on the caller's own objects. */
const OWN: Action[] = ["view.save", "problem.watch", "problem.unwatch"];
const APART: Action[] = ["payload.read", "worker.work", "worker.drive", "span.write"];
const of = (...scopes: string[]) => ({ actions: actionsOf(scopes), workflows: null });
const bound = (workflows: string[], ...scopes: string[]) => ({ actions: actionsOf(scopes), workflows });

describe("the roles", () => {
  it("of a viewer reads, saves private views, watches problems, and nothing else", () => {
    expect([...actionsOf(["viewer"])].sort()).toEqual([...READS, ...OWN].sort());
  });

  it("of an operator acts on everything that there is to act on, and does not manage access", () => {
    const actions = actionsOf(["operator"]);
    for (const act of OPERATOR_ACTS) expect(actions.has(`run.${act}`), act).toBe(act !== "delete" && act !== "erase");
    for (const act of SCHEDULE_ACTS) expect(actions).toContain(`schedule.${act}`);
    expect(actions).not.toContain("access.manage");
  });

  it("each may what the one before may, and an admin all that is not granted apart", () => {
    const [viewer, operator, admin] = ROLES.map((role) => actionsOf([role]));
    for (const action of viewer ?? []) expect(operator).toContain(action);
    for (const action of operator ?? []) expect(admin).toContain(action);
    expect(ACTIONS.filter((action) => !admin?.has(action)).sort()).toEqual([...APART].sort());
  });
});

describe("a scope", () => {
  it("is a role or one action; an unknown one grants nothing", () => {
    expect([...actionsOf(["run.start"])]).toEqual(["run.start"]);
    expect(actionsOf(["viewer", "run.start"]).size).toBe(READS.length + OWN.length + 1);
    expect([...actionsOf(["metrics.read"])]).toEqual(["metrics.read"]);
    expect([...actionsOf(["overview.read"])]).toEqual(["overview.read", "metrics.read"]);
    expect(actionsOf(["Admin", "root", "", "run.*", "__proto__"]).size).toBe(0);
  });
});

describe("may", () => {
  it("says for every role and every action yes, or why not: the table is total", () => {
    for (const role of ROLES)
      for (const action of ACTIONS) {
        const openness = may(of(role), action);
        expect(openness.open).toBe(actionsOf([role]).has(action));
        if (!openness.open) expect(openness.because).toMatch(/^You may not [a-z ]+\. It (takes the role|is granted)/);
      }
  });

  it("lets the bootstrap token do everything, and somebody unknown nothing", () => {
    expect(ACTIONS.filter((action) => !may(EVERYTHING, action, ["any"]).open)).toEqual([]);
    expect(ACTIONS.filter((action) => may(NOTHING, action).open)).toEqual([]);
  });

  it("limits a user to their workflows: every workflow that is named has to be one of them", () => {
    const caller = bound(["a", "b"], "operator");
    expect(may(caller, "run.rerun", ["a"])).toEqual({ open: true });
    expect(may(caller, "run.start", ["a", "b"])).toEqual({ open: true });
    expect(may(caller, "run.rerun", ["c"])).toEqual({ open: false, because: 'You may not rerun runs of "c".' });
    expect(may(caller, "run.start", ["a", "c"]).open).toBe(false);
  });

  it("keeps them from what concerns every workflow, whatever their role", () => {
    const caller = bound(["a"], "admin", "worker.drive");
    for (const action of [
      "access.manage",
      "event.send",
      "worker.drive",
      "overview.read",
      "metrics.read",
      "sandbox.change",
    ] as const)
      expect(may(caller, action).open).toBe(false);
    expect(seesWorkflow(caller, "a")).toBe(true);
    expect(seesWorkflow(caller, "b")).toBe(false);
    expect(seesWorkflow(bound([], "admin"), "a")).toBe(false);
  });
});
