import { likenessOf } from "../../engine/problems/fingerprint";
import { OTHERS } from "../../engine/problems/problem";
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
interface Illness {
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
  const ill = new Map<string, Illness>();
  const likenesses = troubles.map((trouble) => {
    const illness = illnessOf(trouble);
    if (!illness) return null;
    const likeness = JSON.stringify(illness.keys);
    if (!ill.has(likeness)) ill.set(likeness, illness);
    return likeness;
  });
  const ids = await idsOf(tx, ill);
  return likenesses.map((likeness) => (likeness === null ? null : (ids.get(likeness) ?? null)));
}

function illnessOf(trouble: TroubleRow): Illness | null {
  const { kind, workflow, step } = trouble;
  if (kind === null) return null;
  const error = readError(keptError(trouble));
  const { pattern, fingerprints } = likenessOf(error, step);
  const keys = fingerprints.map((fingerprint) => ({ workflow, kind, ...fingerprint }));
  return { trouble, workflow, kind, errorName: error.name, pattern, keys };
}

/** Tolerates any content: one unreadable row must not block all later ones. */
function readError(text: string): SerializedError {
  try {
    const { name, message, code, cause } = JSON.parse(text) as Partial<SerializedError>;
    if (typeof name === "string" && typeof message === "string")
      return { name, message, ...(code && { code }), ...(cause && { cause: readError(JSON.stringify(cause)) }) };
  } catch {
    // Handled below.
  }
  return { name: "UnreadableError", message: text };
}

/** A new key of a newer rule is added to the problem that an older key finds: no rule splits an existing problem. */
async function idsOf(tx: Db, ill: ReadonlyMap<string, Illness>): Promise<Map<string, string>> {
  const asked = [...ill].flatMap(([likeness, { keys }]) => keys.map((key) => ({ likeness, key })));
  const ids = new Map<string, string>();
  if (asked.length === 0) return ids;
  const found = await findProblems(
    tx,
    asked.map(({ key }) => key),
  );
  for (const [place, { likeness }] of asked.entries()) {
    const id = found[place];
    if (id && !ids.has(likeness)) ids.set(likeness, id);
  }
  for (const [likeness, illness] of ill) if (!ids.has(likeness)) ids.set(likeness, await makeProblem(tx, illness));
  const missing = asked.filter(({ likeness }, place) => !found[place] && isKnownByRule(found, asked, likeness));
  await knowProblems(
    tx,
    missing.map(({ likeness, key }) => ({ ...key, problemId: ids.get(likeness) as string })),
  );
  return ids;
}

const isKnownByRule = (found: readonly (string | null)[], asked: readonly { likeness: string }[], likeness: string) =>
  asked.some((other, place) => other.likeness === likeness && found[place]);

/** Adds its keys; a workflow with too many problems uses its shared one. */
async function makeProblem(tx: Db, { trouble, workflow, kind, errorName, pattern, keys }: Illness): Promise<string> {
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
