import type { RunStatus } from "../../engine/runs/run";
import type { Db, Statement } from "../db";
import { openedStep } from "../payloads";
import { type ClaimedStep, claimedStep } from "./claim-runs";

/** A run that this transaction holds, as the owner of a claim finds it. */
export interface HeldRun {
  id: string;
  workflow: string;
  version: number;
  status: RunStatus;
  epoch: number;
  generation: number;
  /** Null once the claim has ended. */
  workerId: number | null;
  parentRunId: string | null;
  cancelRequested: boolean;
  pauseRequested: boolean;
  /** Until the run's own timeout, in milliseconds by the database's clock; null without one. */
  deadlineInMs: number | null;
  /** Of the last claim over HTTP: its epoch, and a hash that its owner can compute again; null if there was none. */
  claimProof: string | null;
  /** The worker over HTTP that owns it; null if it is unclaimed, or owned by a worker of this code. */
  remoteWorker: { credential: string | null } | null;
}

/** A step with its declared compensation: what its worker says of it comes a part at a time. */
export interface HeldStep extends ClaimedStep {
  compensationMode: "automatic" | "manual" | null;
  instructions: string | null;
}

/** The state that a claim's next record starts from. */
export interface HeldSteps {
  /** The latest rows of the requested steps. */
  steps: HeldStep[];
  lastPosition: number;
  lastFinishedPosition: number;
  /** Whether some step has an unknown outcome. */
  inDoubt: boolean;
  /** False: the owner has been silent for too long, and its runs are or will be taken over. */
  leaseHolds: boolean;
  /** An operator holds all runs of its workflow. */
  workflowHeld: boolean;
}

const holdStatement: Statement = {
  name: "hold-run",
  text: `
    select id::text, workflow, version, status, epoch, generation, worker_id as "workerId",
      parent_run_id::text as "parentRunId", cancel_requested_at is not null as "cancelRequested",
      pause_requested_at is not null as "pauseRequested",
      (extract(epoch from deadline_at - clock_timestamp()) * 1000)::float8 as "deadlineInMs",
      claim_proof as "claimProof",
      (select json_build_object('credential', credential) from handrail.worker
        where worker.id = run.worker_id and language is not null) as "remoteWorker"
    from handrail.run where id = $1::uuid
    for no key update`,
};

/** Waits for the lock of the run's row, under which its epoch is compared. Undefined if there is no such run. */
export async function holdRun(tx: Db, runId: string): Promise<HeldRun | undefined> {
  const [run] = await tx.query<HeldRun>(holdStatement, [runId]);
  return run;
}

// A separate statement: one that began before the lock was granted would see the state before.
const stepsStatement: Statement = {
  name: "held-steps",
  text: `
    select coalesce((select json_agg(${claimedStep(", 'compensationMode', compensation_mode, 'instructions', instructions")}) from (
        select distinct on (name) * from handrail.step
        where run_id = $1::uuid and (name = any ($2::text[]) or $3::bool and status = 'running')
        order by name, generation desc) as latest), '[]') as steps,
      known.*, coalesce(owner.holds, false) as "leaseHolds", coalesce($5 = any (owner.held_workflows), false) as "workflowHeld"
    from (
      select coalesce(max(position), 0) as "lastPosition", coalesce(max(finished_position), 0) as "lastFinishedPosition",
        coalesce(bool_or(status = 'unknown' and superseded_by is null), false) as "inDoubt"
      from handrail.step where run_id = $1::uuid
    ) as known
    left join (
      select held_workflows, stopped_at is null and lease_expires_at > clock_timestamp() as holds
      from handrail.worker where id = $4::bigint
    ) as owner on true`,
};

/** @param asked names of steps; with `running`, also those in progress */
export async function readHeldSteps(
  tx: Db,
  { id, workerId, workflow }: Pick<HeldRun, "id" | "workerId" | "workflow">,
  asked: readonly string[],
  { running = false } = {},
): Promise<HeldSteps> {
  const [row] = await tx.query<HeldSteps>(stepsStatement, [id, asked, running, workerId, workflow]);
  const held = row as HeldSteps;
  return { ...held, steps: held.steps.map((step) => openedStep(id, step)) };
}
