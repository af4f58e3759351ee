import { isDeepStrictEqual } from "node:util";
import { ERROR_CODES, type ErrorCode } from "../engine/errors";
import { type Fault, wordsOf } from "./faults";
import type { Found } from "./findings";
import { type Differing, differenceFromBoth, differenceOf, repeatedIn } from "./observation";
import type { Asked, Finding, FindingKind, TrialResult } from "./report";
import type { Ending } from "./trial";
import type { SeenStep, Sights } from "./watch";

/** Mistakes of the code that the engine itself names. */
const MISTAKES: ReadonlySet<string> = new Set<ErrorCode>([
  "duplicate_step",
  "nested_call",
  "not_awaited",
  "transaction_ended",
  "transaction_aborted",
  "drifted",
  "compensation_missing",
  "invalid_value",
  "value_too_large",
  "invalid_workflow",
  "invalid_input",
]);

/** Faults after which a run may fail, wait for a person, or be cancelled: its author decides by retries and effects. */
const MAY_FAIL: ReadonlySet<Fault["kind"]> = new Set(["answers_lost", "down_once", "down", "cancel"]);

const mayEndIn = (fault: Fault, { begun }: Ending): boolean =>
  MAY_FAIL.has(fault.kind) ||
  // With one attempt, a lost answer is the last one.
  (fault.kind === "answer_lost" && begun.get(fault.step) === 1);

export interface Judged {
  verdict: TrialResult["verdict"];
  findings: Found[];
  asked: Asked[];
}

interface Seen {
  number: number;
  faults: readonly Fault[];
  /** Those that the run with which it is compared did not have. */
  more: readonly Fault[];
  /** Of the run with which it is compared. */
  before: Ending;
  /** Of a run that began with an older build: what that build comes to by itself. */
  older?: Ending;
  now: Ending;
  sights: Sights;
}

type Draft = Pick<Finding, "kind" | "step" | "seen" | "todo"> & Pick<Found, "among">;

/** What a trial shows, compared with the run without faults. */
export function judge(seen: Seen): Judged {
  const { number, faults, sights } = seen;
  const finding = (draft: Draft): Judged["findings"][number] => ({
    ...draft,
    line: (draft.step !== null && sights.steps.get(draft.step)?.line) || null,
    trial: number,
    faults: faults.map(wordsOf),
  });
  const drafts = draftsOf(seen);
  const asked = askedIn(seen);
  return {
    verdict: drafts.length > 0 ? "finding" : verdictOf(seen, asked),
    findings: drafts.map(finding),
    asked,
  };
}

function verdictOf({ faults, before, now }: Seen, asked: Asked[]): TrialResult["verdict"] {
  if (faults.length > 0 && now.notReached === faults.length) return "not_reached";
  if (asked.length > 0) return "asks_a_person";
  if (now.status === before.status) return "as_without_faults";
  if (now.status === "compensated" || now.status === "cancelled") return now.status;
  return "failed";
}

function draftsOf(seen: Seen): Draft[] {
  const { more, before, older, now, sights } = seen;
  if (now.stuck) return [stuck(now)];
  const code = codeOf(now);
  if (code && MISTAKES.has(code)) return [mistake(code, now, sights)];
  if (now.failedCompensations.length > 0) return now.failedCompensations.map(failedCompensation);
  if (older) return draftsOfDeploy(seen, older);
  const isRerun = more.some(({ kind }) => kind === "rerun");
  // A run that compensates itself, or asks a person, is not rerun.
  const mayFail = more.some((fault) => mayEndIn(fault, now)) || (isRerun && now.notReached > 0);
  const isDetour = isRerun && newSteps(before, now).length > 0;
  const hasEndedAlike = now.status === before.status;
  // Where one branch has failed, how far those beside it came is a matter of time: what they did then cannot be compared.
  const isOtherwiseTimed = before.status !== "completed" && hasEndedAlike && !haveSameSteps(before, now);
  const isCompared = hasEndedAlike && !mayFail && !isDetour && !isOtherwiseTimed;
  const difference = isCompared
    ? differenceOf(before.observation, now.observation)
    : repeatedIn(before.observation, now.observation);
  if (difference) return [differing(seen, difference)];
  if (isCompared) return otherPath(seen);
  return now.asks || mayFail || isOtherwiseTimed || (isDetour && hasEndedAlike) ? [] : [failing(seen)];
}

/** Begun by one build and ended by the other: what either of them does by itself may have happened. */
function draftsOfDeploy({ before, now, sights }: Seen, older: Ending): Draft[] {
  if (now.status !== before.status && now.status !== older.status) {
    const seen = `the run ends as ${now.status}: ${now.error?.message ?? "no error"}`;
    return now.asks ? [] : [{ kind: "fails", step: null, seen, todo: ADVICE_DEPLOY.fails }];
  }
  const found = differenceFromBoth(older.observation, before.observation, now.observation);
  if (!found) return [];
  const isNew = (name: string) => sights.steps.has(name) && !older.begun.has(name);
  return [
    {
      kind: found.kind,
      step: [...now.begun.keys()].find(isNew) ?? null,
      seen: `${SEEN[found.kind]}${whereIn(found)}`,
      todo: ADVICE_DEPLOY[found.kind],
    },
  ];
}

const ADVICE_DEPLOY: Record<Differing["kind"] | "fails", string> = {
  fails:
    "What earlier steps gave was given by the older build: read it in its form as well, or raise `version` and keep the older one registered until its runs have ended.",
  twice:
    "The older build has done it in a step of another name: keep the name, or raise `version` and keep the older one registered until its runs have ended.",
  never:
    "Neither build does it in such a run: do it in a step behind those that the older build had, or raise `version` and keep the older one registered until its runs have ended.",
  out_of_order:
    "Either build does it in another order: raise `version` and keep the older one registered until its runs have ended.",
  different:
    "Neither build leaves this behind by itself: raise `version` and keep the older one registered until its runs have ended.",
};

const failedCompensation = ({ step, message }: Ending["failedCompensations"][number]): Draft => ({
  kind: "compensation_failed",
  step,
  seen: `its compensation fails${message ? `: ${message}` : ""}`,
  todo: "What it finds reversed already, or in part, is no failure: let it go on from there, with the idempotencyKey that it gets.",
});

const stuck = (now: Ending): Draft => ({
  kind: "stuck",
  step: now.waitingFor?.step ?? null,
  seen: "the run neither ends nor waits for anything that can happen",
  todo: "A body that never settles, or sleeps without end: give its step a timeoutMs.",
});

export const codeOf = ({ error }: Ending): string | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return (ERROR_CODES as readonly unknown[]).includes(code) ? (code as string) : undefined;
};

/** What the engine says about it is complete: it names the step, and what to write. */
export function mistake(code: string, now: Ending, sights: Sights): Draft {
  const message = now.error?.message ?? code;
  const [seen = message, ...rest] = message.split(/(?<=[.:]) /);
  const named = [...sights.steps.keys()].filter((name) => message.includes(`"${name}"`));
  return {
    kind: code as ErrorCode,
    step: named[0] ?? null,
    seen: seen.replace(/[.:]$/, ""),
    todo: rest.join(" ") || message,
  };
}

const SEEN: Record<Differing["kind"], string> = {
  twice: "happened twice",
  never: "never happened, although the run completed",
  out_of_order: "happened out of order",
  different: "left something else behind than without faults",
};

/** Steps whose body ran again: one of them has repeated its effect. */
const ranAgain = ({ before, now }: Seen): string[] =>
  [...now.begun].flatMap(([step, times]) => (times > (before.begun.get(step) ?? 0) ? [step] : []));

/** The step whose body ran again; of several, the one where the fault was. */
function culprit(seen: Seen, again: readonly string[]): SeenStep | undefined {
  const ofFault = seen.faults.map(({ step }) => step).find((step) => step !== null);
  const name = again.find((step) => step === ofFault) ?? again[0];
  return seen.sights.steps.get(name ?? "");
}

const whereIn = ({ path, counts }: Differing): string =>
  path === "" ? "" : ` (${path}${counts ? `: ${counts.now} instead of ${counts.before}` : ""})`;

function differing(seen: Seen, found: Differing): Draft {
  const { kind } = found;
  const again = ranAgain(seen);
  const step = culprit(seen, again);
  const inCompensation = seen.more.some(
    (fault) => fault.kind === "worker_dies" && fault.point.startsWith("compensation"),
  );
  return {
    kind: kind satisfies FindingKind,
    step: step?.name ?? null,
    seen: `${SEEN[kind]}${whereIn(found)}`,
    todo: inCompensation ? ADVICE_COMPENSATION : step ? adviceOn(kind, step) : ADVICE_BETWEEN[kind],
    ...(again.length > 1 && { among: again }),
  };
}

const ADVICE_COMPENSATION =
  "The compensation runs again, with the same idempotencyKey of its own: hand it to the provider, or look what is reversed already.";

const ADVICE_BETWEEN: Record<Differing["kind"], string> = {
  twice: "No body ran again: the effect is between steps, where code runs again on every claim. Move it into a step.",
  never: "No body ran again: what happens between steps is lost with the worker. Move it into a step.",
  out_of_order: "Await what has to be first, or let observe() sort what has no order.",
  different: "Code between steps runs again on every claim. Move what has an effect into a step.",
};

function adviceOn(kind: Differing["kind"], { kind: of, readsKey, effect }: SeenStep): string {
  if (kind === "never") return "The body returned before its effect was done: await it.";
  if (of === "transaction")
    return "A transaction's body may run again after a rollback: what it does outside of its database belongs in a step after it.";
  if (effect === "once") return "Tried again by its retries: leave `retry` out, or ask the provider in `reconcile`.";
  if (!readsKey)
    return 'The body runs again with the same idempotencyKey, and does not use it. Hand it to the provider, or declare effect: "once".';
  return 'The provider got the same idempotencyKey twice, and acted twice: it ignores the key. Declare effect: "once", or give it a key that it honours.';
}

function failing({ now, faults, sights }: Seen): Draft {
  const name = faults.map(({ step }) => step).find((step) => step !== null) ?? null;
  const message = now.error?.message ?? now.steps.find(({ status }) => status === "failed")?.name ?? "no error";
  return {
    kind: "fails",
    step: name !== null && sights.steps.has(name) ? name : null,
    seen: `the run ends as ${now.status}: ${message}`,
    todo: "The body runs again after a crash, with the same idempotencyKey. What it finds done already is a success: return it instead of throwing.",
  };
}

function haveSameSteps(before: Ending, now: Ending): boolean {
  const [one, other] = [before, now].map(({ steps }) => steps.map(({ name, status }) => `${name} ${status}`).sort());
  return isDeepStrictEqual(one, other);
}

function newSteps(before: Ending, now: Ending) {
  const names = new Set(before.steps.map(({ name }) => name));
  return now.steps.filter(({ name }) => !names.has(name));
}

/** The same end by other steps. */
function otherPath({ before, now }: Seen): Draft[] {
  const [other] = newSteps(before, now);
  const gone = before.steps.find(({ name }) => !now.steps.some((step) => step.name === name));
  if (!other && !gone) return [];
  return [
    {
      kind: "other_path",
      step: (other ?? gone)?.name ?? null,
      seen: other ? "is reached only with this fault" : "is not reached with this fault",
      todo: "The code between steps decides by something else than the run's input and its steps' results: take that in a step.",
    },
  ];
}

/** Steps whose outcome is unknown, as people are asked. */
function askedIn({ number, faults, now, sights }: Seen): Asked[] {
  const lost = faults.some(({ kind }) => kind === "answers_lost")
    ? "none of its answers arrives"
    : "its answer is lost";
  return now.unknown.flatMap((of) => {
    const name = sights.nameOf(of.workflow, of.step);
    const step = sights.steps.get(name);
    if (!step) return [];
    const why = step.canAsk
      ? `if ${lost} and \`reconcile\` gives none, a person is asked.`
      : `if ${lost}, a person is asked: no \`reconcile\`.`;
    return [{ step: name, line: step.line, why, trial: number }];
  });
}
