import { systemCaller } from "../../engine/audit/audit";
import { childNotRepaired, childTimedOut, childTimeoutReason } from "../../engine/runs/child-timeout";
import type { Db } from "../../store/db";
import { childOutcomes } from "../../store/runs/children";
import { type LockedRun, lockRun } from "../../store/runs/lock-run";
import { type Receipt, recordAlone } from "../../store/steps/record";
import type { StepRecord } from "../../store/workers/claim-record";
import { holdsRun } from "../../store/workers/fence";
import { ClaimLost } from "../claims/claim-lost";
import { faultPoint } from "../fault-points";
import { canBeCancelled, cancelAs } from "../others/cancel-as";
import { type Changed, nameOf, type Others } from "../others/others";
import type { Pass } from "../passes/pass";
import { errorText } from "../steps/error-text";
import type { Ended } from "../steps/keep-outcome";
import type { StepState } from "../steps/step-state";

/** A child that had not ended when the step's timeout was over. */
export interface LateChild {
  state: StepState;
  id: string;
  workflow: string;
  waitedMs: number;
  /** A failure of the child is no end for this step. */
  waitsForRepair: boolean;
}

/**
 * `cancelled`: it is recorded that the step waits for nothing but the child's end, whoever asked for that. `ended`: the
 * child has an outcome after all.
 */
type Late = Extract<Ended, { next: "failed" }> | { next: "cancelled" } | { next: "ended" };

/*
 * Guarantee: the cancel of the child, its audit row and the parent's record of the timeout are one transaction, under
 * the fence of the parent's claim: once, whichever worker dies. A child that ends first keeps its outcome. Races with:
 * the child's owner and operators (its lock), a cancel of the parent (its lock: then nothing more is cancelled here). Locks
 * the parent before the child, as every cancel of a tree does.
 */
export class ChildTimeouts {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly pass: Pass,
    private readonly db: Db,
    private readonly others: Others,
  ) {}

  /** One at a time, however many children are late: each transaction holds this run's row. */
  end(late: LateChild): Promise<Late> {
    const turn = this.last.then(() => this.endInTurn(late));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  private async endInTurn(late: LateChild): Promise<Late> {
    const { claim } = this.pass;
    const { name } = late.state.plan;
    const { result, changed, receipt } = await claim.retrying(() =>
      this.db.transaction(async (tx) => {
        const kept = await this.endIn(tx, late);
        await faultPoint("transaction:before-commit", name);
        return kept;
      }),
    );
    await faultPoint("transaction:after-commit", name);
    if (receipt) claim.follow(receipt);
    if (changed) this.others.onChanged(changed);
    return result;
  }

  private async endIn(tx: Db, late: LateChild): Promise<{ result: Late; receipt?: Receipt; changed?: Changed }> {
    const { id: runId, epoch } = this.pass.claim.run;
    const { state, id, waitedMs } = late;
    if (!(await holdsRun(tx, runId, epoch))) throw new ClaimLost(runId);
    const child = await lockRun(tx, id);
    const isOver = child === undefined || (late.waitsForRepair && child.run.status === "failed");
    if (!isOver && child.run.finished_at !== null) return { result: { next: "ended" } };
    await faultPoint("transaction:before-checkpoint", state.plan.name);
    if (isOver) {
      const error = await notRepaired(tx, late, child);
      const failures = state.failures + 1;
      const receipt = await this.keep(tx, state.row("failed", { reference: id, error, failures }));
      return { result: { next: "failed", error }, receipt };
    }
    const error = errorText(childTimedOut(state.plan.name, late, waitedMs));
    const receipt = await this.keep(tx, state.row("waiting", { reference: id, error }));
    // A cancel of this run came first: it has said which children end with it.
    if (receipt.asked === "cancel" || !canBeCancelled(child)) return { result: { next: "cancelled" }, receipt };
    const { auditKeys } = this.others;
    const by = systemCaller(nameOf(this.pass.claim));
    const { changed } = await cancelAs(tx, auditKeys, by, child, childTimeoutReason(waitedMs));
    return { result: { next: "cancelled" }, receipt, changed };
  }

  private async keep(tx: Db, step: StepRecord): Promise<Receipt> {
    const { id: runId, epoch } = this.pass.claim.run;
    const receipt = (await recordAlone(tx, [{ runId, epoch, step }])).get(runId);
    if (!receipt) throw new ClaimLost(runId);
    return receipt;
  }
}

/** Of a child that has failed; or that is gone, which nothing repairs either. */
async function notRepaired(tx: Db, late: LateChild, child: LockedRun | undefined): Promise<string> {
  const { state, id, waitedMs } = late;
  if (!child) return errorText(childTimedOut(state.plan.name, late, waitedMs));
  const [outcome] = await childOutcomes(tx, [id]);
  return errorText(childNotRepaired(state.plan.name, late, waitedMs, outcome?.error ?? null));
}
