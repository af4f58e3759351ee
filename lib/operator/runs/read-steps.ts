import { HandrailError, unknownRun } from "../../engine/errors";
import type { Db } from "../../store/db";
import { selectRunStatus } from "../../store/reads/run-detail";
import {
  listStepParts,
  type StepKey,
  type StepParts,
  selectStepParts,
  selectVersions,
} from "../../store/reads/run-steps";
import { decodeCursor, encodeCursor } from "../cursor";
import { pause } from "../in-turns";
import { asInstant } from "../values";
import type { Page } from "./reads";
import { stepView } from "./step-view";

const DEFAULT_PAGE_SIZE = 1_000;
const FIRST: StepKey = { name: "", generation: 0 };
const isKey = ([name, generation]: unknown[]) => typeof name === "string" && Number.isSafeInteger(generation);

/**
 * The steps of a run by name and generation, in the form of the graph: without output, request and stacks.
 * @throws HandrailError `unknown_run`
 */
export async function readSteps(db: Db, runId: string, { cursor, limit = DEFAULT_PAGE_SIZE }: Page) {
  const after = cursor === undefined ? FIRST : afterOf(decodeCursor<[string, number]>(cursor, isKey));
  const rows = await listStepParts(db, runId, { after, limit: limit + 1 });
  if (rows.length === 0 && !(await selectRunStatus(db, runId))) throw unknownRun(runId);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)?.step : undefined;
  const steps: ReturnType<typeof drawnView>[] = [];
  for (const row of page) {
    steps.push(drawnView(viewOf(runId, row, () => 0)));
    await pause();
  }
  return {
    steps,
    nextCursor: last ? encodeCursor([last.name, last.generation]) : null,
    updatedAt: new Date().toISOString(),
  };
}

const afterOf = ([name, generation]: [string, number]): StepKey => ({ name, generation });

/**
 * Every record of one step, complete, latest generation first.
 * @throws HandrailError `unknown_run` `unknown_step`
 */
export async function readStep(db: Db, runId: string, name: string) {
  const [versions, rows] = await Promise.all([selectVersions(db, runId), selectStepParts(db, runId, name)]);
  if (!versions) throw unknownRun(runId);
  if (rows.length === 0) throw new HandrailError("unknown_step", "The run has no step of this name.");
  const changes = versions.changes.map(({ version, at }) => ({ version, at: Date.parse(asInstant(at)) }));
  const versionAt = (instant: string) =>
    changes.findLast(({ at }) => at <= Date.parse(instant))?.version ?? versions.version;
  return { steps: rows.map((row) => viewOf(runId, row, versionAt)), updatedAt: new Date().toISOString() };
}

const viewOf = (
  runId: string,
  { step, attempts, compensation, wait }: StepParts,
  versionAt: (instant: string) => number,
) => stepView(runId, step, attempts, compensation ?? undefined, wait ?? undefined, versionAt);

type StepView = ReturnType<typeof stepView>;

/** The length of an error in the graph. */
const MESSAGE_LENGTH = 300;

function drawnView(step: StepView) {
  const { name, kind, effect, status, attempt, maxAttempts, generation, position, reference, supersededBy } = step;
  const { startedAt, finishedAt, nextAttemptAt, error, attempts, compensation, wait } = step;
  const { mode, by, owedAt } = compensation;
  return {
    ...{ name, kind, effect, status, attempt, maxAttempts, generation, position, reference, supersededBy },
    ...{ startedAt, finishedAt, nextAttemptAt },
    error: briefError(error),
    attempts: attempts.map(({ number, status, startedAt, finishedAt, error }) => ({
      ...{ number, status, startedAt, finishedAt },
      error: briefError(error),
    })),
    compensation: { mode, status: compensation.status, by, owedAt, finishedAt: compensation.finishedAt },
    wait: wait && { event: wait.event },
  };
}

function briefError(error: StepView["error"]) {
  if (!error) return null;
  const { name, message, code } = error;
  return { name, message: message.slice(0, MESSAGE_LENGTH), ...(code !== undefined && { code }) };
}
