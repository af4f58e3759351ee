/*
 * Texts that callers put into a run themselves. Masking them would reveal to their author which guesses are masked
 * values. So they are shown as typed, or only to those who may see masked values; see docs/privacy.md.
 */

/**
 * `as_typed`: masked by place alone, not by value. `for_readers`: when the run has masked values, shown to those who
 * may see them. `ids_for_readers`: so are the reference of a step and the id of an event in it, the rest is as typed.
 */
export type Treatment = "as_typed" | "for_readers" | "ids_for_readers";

type Fields = Record<string, unknown>;

/** By the name of the object that has the field; an object without an id in the contract is named after its field. */
const TYPED: Record<string, (value: Fields) => Partial<Record<string, Treatment>>> = {
  AuditRow: auditRow,
  ProblemTry: ({ act }) => all(["reason"], act === "answer" ? "for_readers" : "as_typed"),
  Probe: () => all(["reason", "because"], "as_typed"),
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
  Published: ({ supplied }) => (supplied ? all(["value"], "for_readers") : {}),
  EffectRecord: effect,
  OperationReportEffect: effect,
  OwedCompensation: ({ stepSettled }) => (stepSettled ? all(["stepReference", "stepOutput"], "for_readers") : {}),
};

/** How an object of this name treats its texts; the same for names of the same kind. */
export const typedAs = (owner: string) => TYPED[owner];

export const treatmentsOf = (owner: string, value: Fields): Partial<Record<string, Treatment>> | undefined =>
  TYPED[owner]?.(value);

const all = (fields: readonly string[], treatment: Treatment): Record<string, Treatment> =>
  Object.fromEntries(fields.map((field) => [field, treatment]));

/** The answer to a question is one of the code's choices, which may contain masked values. */
function auditRow({ act }: Fields) {
  if (act === "answer")
    return { ...all(["reason", "before", "after"], "for_readers"), requestKey: "as_typed" as const };
  const changed = act === "settle" || act === "send_event" ? "ids_for_readers" : "as_typed";
  return { ...all(["reason", "requestKey"], "as_typed"), ...all(["before", "after"], changed) };
}

function closedIntake() {
  return all(["reason", "closedBy"], "as_typed");
}

function effect({ generations }: Fields) {
  const settled = (generations as Fields[]).some((one) => isSettled({ ...one, attempt: one.attemptCount }));
  return settled ? all(["reference"], "for_readers") : {};
}

/** A compensation that a person recorded has their note. */
function undone({ note }: Fields) {
  const own = all(["assignee", "assignedBy"], "as_typed");
  return typeof note === "string" ? { ...own, ...all(["note", "reference", "evidence"], "as_typed") } : own;
}

/** The output of a wait is the answer of others; of a step that a person resolved, theirs. */
function given({ kind, ...step }: Fields) {
  if (kind === "event" || kind === "approval") return all(["output"], "for_readers");
  return isSettled(step) ? all(["output", "reference"], "for_readers") : {};
}

/** If no attempt produced the outcome, it comes from a person or a later check by the step's code. */
function isSettled({ status, attempt, attempts }: Fields): boolean {
  if (status !== "completed" && status !== "skipped") return false;
  const last = (attempts as Fields[]).at(-1);
  return attempt === 0 || last === undefined || last.status === "unknown";
}
