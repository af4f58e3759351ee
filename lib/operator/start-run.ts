import { HandrailError } from "../engine/errors";
import { prepareStart } from "../engine/start";
import type { Workflow } from "../engine/workflow";
import { selectRunDetail } from "../store/reads/run-detail";
import { insertRunOnce } from "../store/start-run";
import { type Answer, answeredOnce } from "./answered-once";
import { type Desk, unknownRun } from "./command";
import { decodeGiven } from "./given-value";
import { type RunView, runView } from "./run-view";

export interface Start {
  workflow: string;
  /** Parsed JSON. */
  input: unknown;
  idempotencyKey?: string | undefined;
  runAt?: string | undefined;
  priority?: number | undefined;
  tags?: Record<string, string> | undefined;
}

/**
 * Starts a run, or gives the one that the same key and input have started: 201 or 200.
 * @throws HandrailError `unknown_workflow`, `invalid_input` or `idempotency_conflict`; nothing is written then
 */
export async function startRun(desk: Desk, workflows: readonly Workflow[], start: Start): Promise<Answer<RunView>> {
  const workflow = workflows.find(({ name }) => name === start.workflow);
  if (!workflow)
    throw new HandrailError("unknown_workflow", `There is no workflow named "${start.workflow}".`, {
      workflows: workflows.map(({ name }) => name),
    });
  const input = decodeGiven(start.input, `input of workflow "${workflow.name}"`);
  const run = await prepareStart(workflow, input, {
    ...(start.idempotencyKey !== undefined && { idempotencyKey: start.idempotencyKey }),
    ...(start.runAt !== undefined && { runAt: new Date(start.runAt) }),
    ...(start.priority !== undefined && { priority: start.priority }),
    ...(start.tags !== undefined && { tags: start.tags }),
  });
  const answer = await desk.db.transaction((tx) =>
    answeredOnce(tx, desk.request, async () => {
      const { id, created } = await insertRunOnce(tx, run);
      const row = await selectRunDetail(tx, id);
      if (!row) throw unknownRun(id);
      return { status: created ? 201 : 200, body: runView(row) };
    }),
  );
  desk.notifier.change([answer.body.id]);
  desk.notifier.work();
  return answer;
}
