import type { Blobs } from "../../blobs/blobs";
import { withStoredInput } from "../../blobs/stored-input";
import type { StartOptions } from "../../engine/runs/start";
import type { GivenStart, WorkflowCode } from "../../engine/workflows/workflow-code";
import { insertRunsOnce } from "../../store/runs/start-many";
import { insertRunOnce } from "../../store/runs/start-run";
import type { StartedRun, Starter } from "../../store/runs/starter";
import { tracedStarts } from "../../traces/tracing";
import { type Answer, answeredOnce } from "../answered-once";
import type { Desk } from "../desk";
import { decodeGiven } from "../given-value";
import { pause } from "../in-turns";
import { readRun } from "../runs/reads";
import type { RunView } from "../runs/run-view";

export interface Start {
  workflow: string;
  /** Parsed JSON. */
  input: unknown;
  idempotencyKey?: string | undefined;
  runAt?: string | undefined;
  delayMs?: number | undefined;
  priority?: number | undefined;
  tags?: Record<string, string> | undefined;
  debounce?: { key: string; delayMs: number; maxMs?: number | undefined } | undefined;
  headers?: Record<string, string> | undefined;
  version?: number | undefined;
  beginWithinMs?: number | undefined;
  endWithinMs?: number | undefined;
}

export interface Starts {
  workflow: string;
  runs: readonly Omit<Start, "workflow" | "version" | "debounce">[];
}

/**
 * Starts a run, or returns the run that the same key and input have started: 201 or 200.
 * @throws HandrailError `unknown_workflow`, `invalid_input`, `idempotency_conflict`, `singleton_conflict`, or `unavailable` when only workers have the code
 * and none answers; nothing is written then
 */
export async function startRun(
  desk: Desk,
  code: WorkflowCode,
  start: Start,
  { starter, blobs }: { starter: Starter; blobs: Blobs },
): Promise<Answer<RunView>> {
  await pause();
  const given = { input: inputOf(start.workflow, start), options: optionsOf(start) };
  const run = await withStoredInput(blobs, await code.prepareStart(start.workflow, given, pause, blobs.bounds));
  const answer = await tracedStarts(
    [run],
    { received: desk.trace ?? null },
    ([traced = run]) =>
      desk.db.transaction((tx) =>
        answeredOnce(tx, desk.request, async () => {
          const { id, created } = await insertRunOnce(tx, traced, starter);
          return { status: created ? 201 : 200, body: await readRun(tx, id) };
        }),
      ),
    ({ body }) => [body],
  );
  desk.notifier.change([answer.body.id]);
  desk.notifier.work();
  return answer;
}

/**
 * Starts all of them in one transaction, or none.
 * @throws HandrailError as for one start; `details.index` is the position of the refused one
 */
export async function startRuns(
  desk: Desk,
  code: WorkflowCode,
  { workflow, runs }: Starts,
  starter: Starter,
): Promise<Answer<{ runs: StartedRun[] }>> {
  const given: GivenStart[] = [];
  for (const start of runs) {
    await pause();
    given.push({ input: inputOf(workflow, start), options: optionsOf(start) });
  }
  const prepared = await code.prepareStarts(workflow, given, pause);
  const answer = await tracedStarts(
    prepared,
    { received: desk.trace ?? null },
    (traced) =>
      desk.db.transaction((tx) =>
        answeredOnce(tx, desk.request, async () => ({
          status: 201,
          body: { runs: await insertRunsOnce(tx, traced, starter) },
        })),
      ),
    ({ body }) => body.runs,
  );
  desk.notifier.change(answer.body.runs.map(({ id }) => id));
  desk.notifier.work();
  return answer;
}

const inputOf = (workflow: string, { input }: Pick<Start, "input">) =>
  decodeGiven(input, `input of workflow "${workflow}"`);

function optionsOf(start: Partial<Start>): StartOptions {
  const { idempotencyKey, runAt, delayMs, priority, tags, headers, debounce, version, beginWithinMs, endWithinMs } =
    start;
  return {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(runAt !== undefined && { runAt: new Date(runAt) }),
    ...(delayMs !== undefined && { delayMs }),
    ...(priority !== undefined && { priority }),
    ...(tags !== undefined && { tags }),
    ...(headers !== undefined && { headers }),
    ...(version !== undefined && { version }),
    ...(beginWithinMs !== undefined && { beginWithinMs }),
    ...(endWithinMs !== undefined && { endWithinMs }),
    ...(debounce !== undefined && {
      debounce: {
        key: debounce.key,
        delayMs: debounce.delayMs,
        ...(debounce.maxMs !== undefined && { maxMs: debounce.maxMs }),
      },
    }),
  };
}
