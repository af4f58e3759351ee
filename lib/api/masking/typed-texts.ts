/*
 * What callers put into a run themselves. To hide masked values in it would tell its author which of their guesses are such values.
 * So it is shown as it was typed, or to those alone who may see masked values anyway; docs/privacy.md says which.
 */

/** `as_typed`: without regard to values, by place alone. `for_readers`: of a run that has masked values, to those who may see these. */
export type Treatment = "as_typed" | "for_readers";

type Fields = Record<string, unknown>;

/** By the name of what has the field; a name without an id in the contract is that of the field that it is in. */
const TYPED: Record<string, (value: Fields) => Partial<Record<string, Treatment>>> = {
  // The answer to a question is one of the choices of the code, which may have masked values in them.
  AuditRow: ({ act }) => all(["reason", "before", "after"], act === "answer" ? "for_readers" : "as_typed"),
  ClosedIntake: closedIntake,
  closedIntakes: closedIntake,
  Firing: () => all(["reason"], "as_typed"),
  Event: () => all(["id", "key", "payload"], "for_readers"),
  Compensation: undone,
  DrawnCompensation: undone,
  compensation: undone,
  Step: given,
  DrawnStep: given,
  EffectGeneration: ({ attempts, attemptCount, status }) =>
    isSettled({ attempts, attempt: attemptCount, status }) ? all(["reference"], "for_readers") : {},
  EffectRecord: effect,
  OperationReportEffect: effect,
  OwedCompensation: ({ stepSettled }) => (stepSettled ? all(["stepReference", "stepOutput"], "for_readers") : {}),
};

/** How an object of this name treats its texts; the same for names of the same kind. */
export const typedAs = (owner: string) => TYPED[owner];

export const treatmentsOf = (owner: string, value: Fields): Partial<Record<string, Treatment>> =>
  TYPED[owner]?.(value) ?? {};

const all = (fields: readonly string[], treatment: Treatment): Record<string, Treatment> =>
  Object.fromEntries(fields.map((field) => [field, treatment]));

function closedIntake() {
  return all(["reason", "closedBy"], "as_typed");
}

function effect({ generations }: Fields) {
  const settled = (generations as Fields[]).some((one) => isSettled({ ...one, attempt: one.attemptCount }));
  return settled ? all(["reference"], "for_readers") : {};
}

/** Every compensation that a person has recorded has their note. */
function undone({ note }: Fields) {
  const own = all(["assignee", "assignedBy"], "as_typed");
  return typeof note === "string" ? { ...own, ...all(["note", "reference", "evidence"], "as_typed") } : own;
}

/** What waits for others has their words for its output; a step that a person resolved, theirs. */
function given({ kind, ...step }: Fields) {
  if (kind === "event" || kind === "approval") return all(["output"], "for_readers");
  return isSettled(step) ? all(["output", "reference"], "for_readers") : {};
}

/** Where no attempt came to the outcome, a person said it, or the step's own code that was asked later. */
function isSettled({ status, attempt, attempts }: Fields): boolean {
  if (status !== "completed" && status !== "skipped") return false;
  const last = (attempts as Fields[]).at(-1);
  return attempt === 0 || last === undefined || last.status === "unknown";
}
