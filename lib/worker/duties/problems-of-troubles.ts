import { fingerprintsOf } from "../../engine/problems/fingerprint";
import { OTHERS } from "../../engine/problems/problem";
import { asPlainText } from "../../engine/values/plain-text";
import type { SerializedError } from "../../engine/values/serialized-error";
import type { Db } from "../../store/db";
import type { TroubleRow } from "../../store/problems/problem-feed";
import {
  countKeysOf,
  createProblem,
  findProblems,
  knowProblems,
  type ProblemKey,
} from "../../store/problems/problem-fold";
import { newProblemId } from "../../store/run-id";

/**
 * Kinds of errors that a workflow's problems distinguish. Errors that no two runs share would make a problem each:
 * every further kind goes into one shared problem.
 */
export const MAX_KEYS = 1_000;
const KEY_OF_OTHERS: Pick<ProblemKey, "step" | "rule" | "fingerprint"> = { step: "", rule: 0, fingerprint: "others" };

/** The error text of a trouble without an error. */
const NO_ERROR = JSON.stringify({ name: "NoError", message: "No error was recorded." });
export const keptError = ({ error }: TroubleRow): string => error ?? NO_ERROR;

/** The first trouble of its group, and the keys of its problem, newest rule first. */
interface FailureGroup {
  trouble: TroubleRow;
  workflow: string;
  kind: ProblemKey["kind"];
  errorName: string;
  pattern: string;
  keys: ProblemKey[];
}

/**
 * The problem of each trouble, created if missing; null for troubles that report an end. Under the lock of the fold.
 */
export async function problemsOf(tx: Db, troubles: readonly TroubleRow[]): Promise<(string | null)[]> {
  const groups = new Map<string, FailureGroup>();
  const signatures = troubles.map((trouble) => {
    const group = groupOf(trouble);
    if (!group) return null;
    const signature = JSON.stringify(group.keys);
    if (!groups.has(signature)) groups.set(signature, group);
    return signature;
  });
  const ids = await idsOf(tx, groups);
  return signatures.map((signature) => (signature === null ? null : (ids.get(signature) ?? null)));
}

function groupOf(trouble: TroubleRow): FailureGroup | null {
  const { kind, workflow, step } = trouble;
  if (kind === null) return null;
  const error = readError(keptError(trouble));
  const { pattern, fingerprints } = fingerprintsOf(error, step);
  const keys = fingerprints.map((fingerprint) => ({ workflow, kind, ...fingerprint }));
  return { trouble, workflow, kind, errorName: error.name, pattern, keys };
}

/** Tolerates any content: one unreadable row must not block all later ones. */
function readError(text: string): SerializedError {
  try {
    const { name, message, code, cause } = JSON.parse(text) as Partial<SerializedError>;
    if (typeof name === "string" && typeof message === "string")
      return {
        name: asPlainText(name),
        message: asPlainText(message),
        ...(code && { code }),
        ...(cause && { cause: readError(JSON.stringify(cause)) }),
      };
  } catch {
    // Handled below.
  }
  return { name: "UnreadableError", message: text };
}

/** A new key of a newer rule is added to the problem that an older key finds: no rule splits an existing problem. */
async function idsOf(tx: Db, groups: ReadonlyMap<string, FailureGroup>): Promise<Map<string, string>> {
  const wanted = [...groups].flatMap(([signature, { keys }]) => keys.map((key) => ({ signature, key })));
  const ids = new Map<string, string>();
  if (wanted.length === 0) return ids;
  const found = await findProblems(
    tx,
    wanted.map(({ key }) => key),
  );
  for (const [place, { signature }] of wanted.entries()) {
    const id = found[place];
    if (id && !ids.has(signature)) ids.set(signature, id);
  }
  for (const [signature, group] of groups) if (!ids.has(signature)) ids.set(signature, await makeProblem(tx, group));
  const missing = wanted.filter(({ signature }, place) => !found[place] && isKnownByRule(found, wanted, signature));
  await knowProblems(
    tx,
    missing.map(({ signature, key }) => ({ ...key, problemId: ids.get(signature) as string })),
  );
  return ids;
}

const isKnownByRule = (
  found: readonly (string | null)[],
  wanted: readonly { signature: string }[],
  signature: string,
) => wanted.some((other, place) => other.signature === signature && found[place]);

/** Adds its keys; a workflow with too many problems uses its shared one. */
async function makeProblem(
  tx: Db,
  { trouble, workflow, kind, errorName, pattern, keys }: FailureGroup,
): Promise<string> {
  const isFull = (await countKeysOf(tx, workflow, MAX_KEYS)) >= MAX_KEYS;
  const others = { ...KEY_OF_OTHERS, workflow, kind };
  const [known] = isFull ? await findProblems(tx, [others]) : [];
  if (known) return known;
  const id = newProblemId();
  await createProblem(tx, {
    id,
    kind,
    workflow,
    step: isFull ? null : keys[0]?.step || null,
    errorName: isFull ? OTHERS : errorName,
    pattern: isFull ? `Unlike each of the ${MAX_KEYS} earlier errors` : pattern,
    runId: trouble.run_id,
    atStep: trouble.step,
    version: trouble.version,
    error: keptError(trouble),
    atMs: trouble.at_ms,
  });
  await knowProblems(
    tx,
    (isFull ? [others] : keys).map((key) => ({ ...key, problemId: id })),
  );
  return id;
}
