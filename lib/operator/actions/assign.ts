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
  /** Null gives it back. */
  assignee: string | null;
  /** Who has it, as whoever asks saw it. */
  insteadOf: string | null;
  reason?: string | undefined;
  /** Whether people sign in: then only one of them can be given it. Without sign-in any name will do. */
  signIn: boolean;
  /** Whether the demo's people do. */
  inDemo: boolean;
}

/**
 * Says who is on an open undo. Of two who take it at once, the second is told who was faster.
 * @throws HandrailError as any act; `changed` when somebody else has it than was seen, `not_allowed` for whom it cannot be given to
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

/** Names are kept in lower case. */
async function colleague(tx: Db, name: string, workflow: string, inDemo: boolean): Promise<PersonRow> {
  const person = await personNamed(tx, name.toLowerCase(), inDemo);
  if (!person) throw new HandrailError("not_allowed", "Nobody who can sign in has this name.");
  if (!mayRecord(person, workflow))
    throw new HandrailError("not_allowed", `${person.name} may not record compensations of "${workflow}".`);
  return person;
}

/** Who can be given the undos of this workflow. */
export async function readAssignees(db: Db, workflow: string, inDemo: boolean): Promise<string[]> {
  const people = await listPeople(db, inDemo);
  return people.filter((person) => person.disabled_at === null && mayRecord(person, workflow)).map(({ name }) => name);
}
