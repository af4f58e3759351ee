import type { Look } from "@/components/parts/status/look";
import { WORDS } from "@/lib/actions/words";
import type { Operation, OperationItemListResponse } from "@/lib/api/contract/operations";
import type { Plan } from "@/lib/api/contract/plans";
import { PLANNED_ACTS, type PlannedActName } from "@/lib/engine/runs/operator-acts";
import { formatCount, formatDuration, plural } from "@/lib/format";
import { chosenText, type PlanParams, runsText } from "./plan-words";

/** "Rerun", "Wake": before the runs. */
export const verbOf = (act: PlannedActName, params: Plan["params"] = {}): string => WORDS[act].plan.verb(params);

/** "Rerun 412 runs" */
export const operationTitle = ({ act, params, counts }: Pick<Operation, "act" | "params" | "counts">): string =>
  `${verbOf(act, params)} ${runsText(counts.total)}`;

/** Actions that need nothing but runs, or parameters that the dialog asks for. The others begin at a run. */
export const BULK_ACTS = PLANNED_ACTS.filter((act) => WORDS[act].plan.bulk !== undefined);

/** The default parameters of an action. */
export const firstParams = (act: PlannedActName) => (WORDS[act].plan.bulk ?? {}) as PlanParams;

export const OPERATION_LOOKS = {
  running: { shape: "spinner", word: "Running", tone: "blue" },
  paused: { shape: "pause", word: "Paused", tone: "red" },
  completed: { shape: "check", word: "Completed", tone: "green" },
  aborted: { shape: "slash", word: "Aborted", tone: "quiet" },
} as const satisfies Record<Operation["status"], Look>;

export const OUTCOME_LOOKS = {
  done: { shape: "check", word: "Done", tone: "green" },
  already: { shape: "skip", word: "Already", tone: "quiet" },
  not_eligible: { shape: "slash", word: "Not eligible", tone: "amber" },
  changed: { shape: "question", word: "Changed since", tone: "amber" },
  failed: { shape: "octagon", word: "Failed", tone: "red" },
} as const satisfies Record<OperationItemListResponse["items"][number]["outcome"], Look>;

/** Items with an outcome, by outcome. */
export const outcomesOf = ({ counts }: Pick<Operation, "counts">) =>
  [
    { outcome: "done", count: counts.done },
    { outcome: "already", count: counts.already },
    { outcome: "not_eligible", count: counts.notEligible },
    { outcome: "changed", count: counts.changed },
    { outcome: "failed", count: counts.failed },
  ] as const;

const carriedOutOf = (operation: Pick<Operation, "counts">) =>
  outcomesOf(operation).reduce((sum, { count }) => sum + count, 0);

/** How many were not done, for any reason. */
export const othersOf = (operation: Pick<Operation, "counts">) => carriedOutOf(operation) - operation.counts.done;

const SECOND_MS = 1_000;

/** Progress, and the expected end. */
export function progressSentence(operation: Operation): string {
  const { counts, status, ratePerSecond, createdAt, finishedAt } = operation;
  const carriedOut = carriedOutOf(operation);
  const so = `${formatCount(carriedOut)} of ${plural(counts.total, "run")}`;
  if (status === "completed" && finishedAt)
    return `${so}, in ${formatDuration(Date.parse(finishedAt) - Date.parse(createdAt))}.`;
  if (status === "aborted") return `${so}; the others stay as they are.`;
  if (status === "paused" || isCanary(operation)) return `${so} so far.`;
  const left = ((counts.total - carriedOut) / ratePerSecond) * SECOND_MS;
  return `${so}, ${formatCount(ratePerSecond)}/s, at least ${formatDuration(left)} left.`;
}

const isCanary = ({ canary, canaryPassedAt, finishedAt }: Operation) =>
  canary > 0 && canaryPassedAt === null && finishedAt === null;

/** The state of the canary runs, whose end decides over the rest; null if there are none. */
export function canarySentence(operation: Operation): string | null {
  const { canary, canaryPassedAt, counts } = operation;
  if (canary === 0) return null;
  const first = `The first ${formatCount(canary)}`;
  if (canaryPassedAt !== null)
    return `Canary passed.${operation.finishedAt === null ? " Rolling out to the rest." : ""}`;
  if (!isCanary(operation)) return `${first} were the only runs.`;
  const areDone = counts.done + counts.failed >= canary;
  if (operation.status === "paused")
    return areDone
      ? `${first} have not passed. Decide whether to continue.`
      : `Paused before ${first.toLowerCase()} have all started. The rest waits for them.`;
  return areDone
    ? `Waiting for ${first.toLowerCase()} to end. The rest waits for them.`
    : `${first} are running. The rest waits for them.`;
}

/** Parameters that are whole documents, too long for a line. */
const DOCUMENTS = ["input", "output", "payload"];

/** The parameters of the action; null if there are none. */
export function paramsText({ fromStep, freshKeys, version, children, ...given }: Operation["params"]): string | null {
  const others = Object.entries(given).filter(([name]) => !DOCUMENTS.includes(name));
  const parts = [
    ...(fromStep === undefined ? [] : [`from ${fromStep}`]),
    ...(freshKeys === true ? ["with fresh keys"] : []),
    ...(version === undefined ? [] : [`by version ${version}`]),
    ...(children === true ? ["with their child runs"] : []),
    ...(others.length === 0 ? [] : [chosenText(Object.fromEntries(others))]),
  ];
  return parts.length > 0 ? parts.join(", ") : null;
}
