import { actionsOf, may } from "../engine/access/permission";
import { MAX_ASSIGNEE } from "../engine/compensations/compensation-board";
import { HandrailError } from "../engine/errors";
import { closed, type Openness, open, type RunFacts, stepNamed } from "../engine/runs/operator-acts";
import type { PersonRow } from "../store/access/people";
import type { Action, Fields, ParamsOf, Words } from "./action";

const params = ({ plainText, stepName }: Fields) => {
  const name = plainText.trim().min(1).max(MAX_ASSIGNEE).nullable();
  return {
    step: stepName,
    /** Null unassigns. With sign-in, a person who may record compensations of the workflow. */
    assignee: name,
    /** The assignee that you saw: refused (409 changed) when it has changed. */
    insteadOf: name,
  };
};
type Params = ParamsOf<typeof params> & {
  /** Whether users sign in: then only a user can be the assignee. Without sign-in, any name is accepted. */
  signIn: boolean;
  /** Whether demo users can sign in. */
  inDemo: boolean;
};

/** Take an open compensation, release it, or assign it to another person. Optional: it shows who works on it. */
export function mayAssign(run: RunFacts, stepName: string): Openness {
  const step = stepNamed(run, stepName);
  if (!step) return closed("The run has no step of this name.");
  switch (step.compensationStatus) {
    case "owed":
    case "running":
    case "failed":
      return open;
    case "none":
      return closed("This step has no open compensation.");
    default:
      return closed(`This compensation is already resolved (${step.compensationStatus}).`);
  }
}

export const assignWords = {
  icon: "add_person",
  button: () => "Assign compensation…",
  does: "Shows who works on a compensation.",
  did: "assigned the compensation of",
  tried: "assign the compensation of",
  name: "Assign a compensation",
} satisfies Words;

const hasIt = (assignee: string | null) =>
  assignee === null
    ? "This compensation is unassigned now."
    : `${assignee} has this compensation now. Contact them, or reassign it.`;

/** Whether this person can be assigned the compensations of a workflow. */
export const mayRecord = ({ role, workflows }: Pick<PersonRow, "role" | "workflows">, workflow: string) =>
  may({ actions: actionsOf([role]), workflows }, "run.mark_compensated", [workflow]).open;

/** What the audit log says where the operator gave no reason. */
export const whyAssigned = (assignee: string | null, by: string) =>
  assignee === null ? "Unassigned." : assignee === by ? "Assigned to me." : "Reassigned.";

/** Of two concurrent calls, the second is refused with the name of the first assignee. */
export const assign = {
  rule: (run, { step }) => mayAssign(run, step),
  offered: (run) => {
    const owed = run.steps.find(({ compensationStatus: status }) => status === "failed" || status === "owed");
    return owed ? mayAssign(run, owed.name) : closed("This run has no open compensation.");
  },
  params,
  command: (tools, { runId, params: { step, assignee, insteadOf, signIn, inDemo }, by }) => ({
    step,
    details: { assignee },
    change: async (tx, { run, steps }) => {
      const has = steps.find(({ name }) => name === step)?.assignee ?? null;
      if (has !== insteadOf) throw new HandrailError("changed", hasIt(has), { assignee: has });
      if (!signIn || assignee === null)
        return tools.assignCompensation(tx, runId, step, { assignee, assigneeId: null, by });
      // Names are stored in lower case.
      const person = await tools.personNamed(tx, assignee.toLowerCase(), inDemo);
      if (!person) throw new HandrailError("not_allowed", "No user with this name can sign in.");
      if (!mayRecord(person, run.workflow))
        throw new HandrailError("not_allowed", `${person.name} may not record compensations of "${run.workflow}".`);
      await tools.assignCompensation(tx, runId, step, { assignee: person.name, assigneeId: person.id, by });
    },
  }),
} satisfies Action<Params>;
