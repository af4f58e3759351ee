import type { OperatorAct } from "../../engine/runs/operator-acts";
import type { Db } from "../../store/db";
import { listProbes, type ProbeRow } from "../../store/problems/probes";
import { ACTIONS_LOOKED_AT, listTried, type TriedRow } from "../../store/problems/tried";
import { workflowsOfProblem } from "../../store/workflows/workflows-of-targets";
import { unknownProblem } from "../problem-view";
import { asInstant } from "../values";
import { probeView } from "./probe-view";

/** Actions that may repair a run. Assigning, pausing or snoozing it changes nothing about its failure. */
const REPAIRS: readonly OperatorAct[] = [
  "rerun",
  "settle",
  "start_again",
  "move",
  "resume",
  "wake",
  "cancel",
  "compensate",
  "mark_compensated",
  "answer",
];

const SHOWN = 50;

/**
 * What people and probes did on runs of a problem since it began, newest first.
 * @throws HandrailError `unknown_problem`
 */
export async function readTried(db: Db, problemId: string) {
  if (!(await workflowsOfProblem(db, problemId))) throw unknownProblem(problemId);
  const [actions, probes] = [await listTried(db, problemId, REPAIRS, SHOWN), await listProbes(db, problemId, SHOWN)];
  const all = [...actions.map(actionView), ...probes.map(probed)].sort((one, other) => other.at.localeCompare(one.at));
  return { tried: all.slice(0, SHOWN), ofActions: ACTIONS_LOOKED_AT };
}

const actionView = ({ id, at, actor, run_id: runId, operation_id: operationId, ...row }: TriedRow) => ({
  ...row,
  id: String(id),
  at: asInstant(at),
  by: actor,
  runId,
  operationId,
  probe: null,
});

const NOT_OF_ACTIONS = { step: null, named: null, runId: null, operationId: null, left: 0, again: 0 };

function probed(row: ProbeRow) {
  const { id, startedAt, startedBy, reason, status, because, tries } = probeView(row);
  const runs = new Set(tries.map(({ runId }) => runId)).size;
  const probe = { status, because, tries: tries.length };
  return { ...NOT_OF_ACTIONS, id, at: startedAt, by: startedBy, act: "probe" as const, reason, runs, probe };
}
