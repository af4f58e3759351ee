import { actionsOf, may } from "../../engine/access/permission";
import { HandrailError } from "../../engine/errors";
import { mayAssign } from "../../engine/runs/operator-acts";
import { listPeople, type PersonRow, personNamed } from "../../store/access/people";
import { assignCompensation } from "../../store/compensations/compensate";
import type { Db } from "../../store/db";
import { carryOut, type Desk } from "./command";

export interface Assigning {
  runId: string;
  step: string;
  /** Null unassigns it. */
  assignee: string | null;
  /** The assignee as the caller saw it. */
  insteadOf: string | null;
  reason?: string | undefined;
  /** Whether users sign in: then only a user can be the assignee. Without sign-in, any name is accepted. */
  signIn: boolean;
  /** Whether demo users can sign in. */
  inDemo: boolean;
}

/**
 * Assigns an open compensation. Of two concurrent calls, the second is refused with the name of the first assignee.
 * @throws HandrailError as any action; `changed` if the assignee is not the expected one, `not_allowed` for an invalid
 * assignee
 */
export function assign(desk: Desk, given: Assigning) {
  const { runId, step, assignee, insteadOf, reason, signIn, inDemo } = given;
  return carryOut(desk, {
    act: "assign",
    runId,
    step,
    reason: reason ?? (assignee === null ? "Gave it back." : assignee === desk.by.name ? "Took it." : "Handed it on."),
    asked: { assignee },
    isOpen: (run) => mayAssign(run, step),
    change: async (tx, { run, steps }) => {
      const has = steps.find(({ name }) => name === step)?.assignee ?? null;
      if (has !== insteadOf) throw new HandrailError("changed", hasIt(has), { assignee: has });
      const person = signIn && assignee !== null ? await colleague(tx, assignee, run.workflow, inDemo) : null;
      const to = { assignee: person?.name ?? assignee, assigneeId: person?.id ?? null, by: desk.by.name };
      await assignCompensation(tx, runId, step, to);
    },
  });
}

const hasIt = (assignee: string | null) =>
  assignee === null
    ? "Nobody has this undo any more."
    : `${assignee} has this undo by now. Talk to them, or hand it on.`;

const mayRecord = ({ role, workflows }: PersonRow, workflow: string) =>
  may({ actions: actionsOf([role]), workflows }, "run.mark_compensated", [workflow]).open;

/** Names are stored in lower case. */
async function colleague(tx: Db, name: string, workflow: string, inDemo: boolean): Promise<PersonRow> {
  const person = await personNamed(tx, name.toLowerCase(), inDemo);
  if (!person) throw new HandrailError("not_allowed", "Nobody who can sign in has this name.");
  if (!mayRecord(person, workflow))
    throw new HandrailError("not_allowed", `${person.name} may not record compensations of "${workflow}".`);
  return person;
}

/** Who can be assigned the compensations of this workflow. */
export async function readAssignees(db: Db, workflow: string, inDemo: boolean): Promise<string[]> {
  const people = await listPeople(db, inDemo);
  return people.filter((person) => person.disabled_at === null && mayRecord(person, workflow)).map(({ name }) => name);
}
