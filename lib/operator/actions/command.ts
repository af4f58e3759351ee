import type { Action, Change } from "../../actions/action";
import { ACTIONS, mayAct, type ParamsOfAct } from "../../actions/actions";
import { demandOf, refusedAlone } from "../../actions/four-eyes";
import { HandrailError, unknownRun } from "../../engine/errors";
import type { OperatorAct } from "../../engine/runs/operator-acts";
import type { WorkflowCode } from "../../engine/workflows/workflow-code";
import type { Db } from "../../store/db";
import { declaredFourEyes } from "../../store/operations/plan-approvals";
import { type LockedRun, lockRun } from "../../store/runs/lock-run";
import { isSingletonConflict } from "../../store/runs/singleton";
import { wakeParents } from "../../store/runs/wake-parents";
import { type AlsoChanged, type Attempt, audited, rowWriter, type WriteRow } from "../audit/audited";
import type { Desk } from "../desk";
import { readRun } from "../runs/reads";
import type { RunView } from "../runs/run-view";
import { factsOf } from "./facts";
import * as toolbox from "./toolbox";

/** An action as an operator requests it. */
export interface Requested<Act extends OperatorAct = OperatorAct> {
  act: Act;
  runId: string;
  params: ParamsOfAct<Act>;
  reason: string;
  /** The revision the operator saw; the action is refused if the run has changed since. */
  revision?: number | undefined;
  /** Of a plan whose parameters name no step: the step that it is about. */
  candidate?: string | undefined;
}

/** A desk where actions on runs are carried out. */
export type ActionDesk = Desk & { code: WorkflowCode };

interface Command extends Requested, Change {
  /** Other runs changed by the action, once it was carried out. */
  alsoChanged: AlsoChanged[];
}

/**
 * One action is one transaction: take the idempotency key, lock the run, check the rule, change, audit, keep the
 * answer.
 * @throws HandrailError `unknown_run`, `unknown_step`, `changed`, `not_allowed` or `idempotency_conflict`; nothing is
 * changed then, and the audit log records the attempt. `invalid_input` for a given value that cannot be stored
 */
export async function carryOut<Act extends OperatorAct>(desk: ActionDesk, requested: Requested<Act>): Promise<RunView> {
  const run = await once(desk, requested, (tx, { runId }) => readRun(tx, runId));
  await notifyParent(desk, run);
  return run;
}

/** The same for the action that deletes its run. @returns how many runs, with its descendants */
export const carryOutDeletion = (desk: ActionDesk, requested: Omit<Requested<"delete">, "act" | "params">) =>
  once(desk, { ...requested, act: "delete", params: {} }, async (_, { runId, alsoChanged }) => ({
    runId,
    deleted: 1 + alsoChanged.length,
  }));

async function once<Act extends OperatorAct, Body>(
  desk: ActionDesk,
  requested: Requested<Act>,
  answer: (tx: Db, command: Command) => Promise<Body>,
): Promise<Body> {
  const command = await commandOf(desk, requested);
  const attempt = attemptOf(command);
  const { body } = await audited(desk, attempt, async (tx, record) => {
    await change(tx, command, attempt, record, demandNobodyElse);
    return { status: 200, body: await answer(tx, command) };
  });
  // After the commit, and also for a repeated request: the first notification may have been lost with its process.
  desk.notifier.changeAtOnce(changedBy(command));
  desk.notifier.work();
  return body;
}

/**
 * The same as a part of the caller's transaction; the caller notifies the returned runs after its commit. If the action
 * ends a run that a parent waits for, the next sweep of a worker notifies the parent.
 * @throws as `carryOut`; the caller rolls back then
 */
export async function carryOutIn(tx: Db, desk: Omit<ActionDesk, "db">, requested: Requested): Promise<string[]> {
  const command = await commandOf(desk, requested);
  const attempt = attemptOf(command);
  await change(tx, command, attempt, rowWriter(tx, desk, attempt));
  return changedBy(command);
}

type Deciding = Pick<ActionDesk, "by" | "code">;

async function commandOf({ by, code }: Deciding, requested: Requested): Promise<Command> {
  const { command }: Action = ACTIONS[requested.act];
  const change = await command(toolbox, { ...requested, by: by.name, code });
  return { ...requested, ...change, alsoChanged: [] };
}

const changedBy = ({ runId, alsoChanged }: Command): string[] => [
  runId,
  ...alsoChanged.flatMap((other) => other.runId ?? []),
];

const attemptOf = ({ act, runId, step, reason, details }: Command): Attempt => ({ act, runId, step, reason, details });

/** `check`: further conditions on the run, checked under its lock. */
async function change(
  tx: Db,
  command: Command,
  attempt: Attempt,
  record: WriteRow,
  check?: (tx: Db, command: Command, locked: LockedRun) => Promise<void>,
): Promise<void> {
  const before = await lockKnownRun(tx, command.runId);
  Object.assign(attempt, { workflow: before.run.workflow, before: snapshot(before, command.step) });
  checkCommand(command, before);
  await check?.(tx, command, before);
  command.alsoChanged.push(...((await command.change(tx, before).catch(notBeside(before))) ?? []));
  await auditChange(tx, record, command);
}

/**
 * An action may end a run that its parent waits for. If this notification is lost, the next sweep of a worker sends it.
 */
async function notifyParent({ db, notifier }: Desk, { parentRunId, finishedAt }: RunView): Promise<void> {
  if (parentRunId === null || finishedAt === null) return;
  notifier.change(await wakeParents(db, [parentRunId]).catch(() => []));
}

async function lockKnownRun(tx: Db, runId: string): Promise<LockedRun> {
  const locked = await lockRun(tx, runId);
  if (!locked) throw unknownRun(runId);
  return locked;
}

function checkCommand({ act, params, step, revision }: Command, { run, steps }: LockedRun): void {
  if (step !== undefined && !steps.some(({ name }) => name === step))
    throw new HandrailError("unknown_step", "The run has no step of this name.");
  if (revision !== undefined && revision !== run.revision)
    throw new HandrailError("changed", "The run has changed since you looked at it. Look again, then decide.", {
      revision: run.revision,
    });
  const openness = mayAct(act, factsOf(run, steps), params);
  if (!openness.open) throw new HandrailError("not_allowed", openness.because, { status: run.status, ...holder(run) });
}

const holder = ({ singleton_holder: runId }: LockedRun["run"]) => (runId === null ? {} : { runId });

/** Reopening an ended run gives it back its singleton key, which a run that starts at this moment may have got first. */
const notBeside =
  ({ run }: LockedRun) =>
  (error: unknown): never => {
    if (!isSingletonConflict(error)) throw error;
    throw new HandrailError(
      "not_allowed",
      "Another run with the same singleton key was started at this moment. Wait for its end, or cancel it first.",
      { status: run.status },
    );
  };

/** A single action has no second approver. @throws HandrailError `approval_required` */
async function demandNobodyElse(tx: Db, { act, params }: Command, { run }: LockedRun): Promise<void> {
  const declared = await declaredFourEyes(tx, run.workflow, run.version);
  const demand = demandOf(declared, { act, params });
  if (demand !== null) throw refusedAlone(run.workflow, demand);
}

async function auditChange(tx: Db, record: WriteRow, { runId, step, alsoChanged }: Command): Promise<void> {
  const after = await lockRun(tx, runId);
  await record(after ? snapshot(after, step) : { deleted: true }, alsoChanged);
}

/** The run's state as the audit log keeps it. */
function snapshot({ run, steps }: LockedRun, stepName: string | undefined) {
  const { status, attention, generation, revision } = run;
  const step = steps.find(({ name }) => name === stepName);
  return {
    status,
    attention,
    generation,
    revision,
    ...(run.cancel_requested_at !== null && { cancelRequested: true }),
    ...(run.pause_requested_at !== null && { pauseRequested: true }),
    ...(step && {
      step: {
        name: step.name,
        status: step.status,
        generation: step.generation,
        compensation: step.compensation_status ?? "none",
        ...(step.assignee !== null && { assignee: step.assignee }),
      },
    }),
  };
}
