import { WORDS } from "../../lib/actions/words";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { PlanRequest } from "../../lib/api/contract/plans";
import type { Run } from "../../lib/api/contract/run";
import { EXIT, type ExitCode } from "../exit-codes";
import { afterAction } from "../output/run";
import { reasonFor } from "../session/reason";
import type { Session } from "../session/session";
import { actOnRuns } from "./act-on-runs";
import { type ActOptions, onlyRun, selectionOf } from "./choice";

/** A mutation as it is sent. */
interface Sending<Request> {
  request: Request;
  idempotencyKey: string;
}

export interface RunAction<Params extends object> {
  act: PlanRequest["act"];
  params: Params;
  /** The action on one run, which needs no plan. */
  send(run: { runId: string }, sending: Sending<Params & { reason: string }>): Promise<Run>;
}

/** An action on one run at once, on several by a plan. */
export async function carryOut<Params extends object>(
  session: Session,
  { act, params, send }: RunAction<Params>,
  runIds: readonly string[],
  options: ActOptions,
): Promise<ExitCode> {
  const { screen } = session;
  const selection = selectionOf(runIds, options.filter);
  const runId = onlyRun(selection, options);
  if (runId === undefined) return actOnRuns(session, { act, params, selection } as PlanRequest, options);
  const reason = await reasonFor(session, options.reason);
  const run = await send({ runId }, { request: { ...params, reason }, idempotencyKey: newIdempotencyKey() });
  screen.answer(run, (after) => afterAction(screen, capitalised(WORDS[act].did), after));
  return EXIT.done;
}

const capitalised = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
