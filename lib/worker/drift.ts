import { HandrailError } from "../engine/errors";
import type { Workflow } from "../engine/workflow";
import { looksForDrift, stopsOnDrift } from "../engine/workflow-versions";
import type { ClaimedRun } from "../store/claim-runs";
import type { Db } from "../store/db";
import { type DriftNote, keepDrift } from "../store/drift";
import { faultPoint } from "./fault-points";
import { isKept } from "./kept-step";

/** Names that a message lists; of more it says how many. */
const NAMED = 5;
/** Names that are kept. */
const NOTED = 100;

/** Sends a statement again until it is answered. */
type Retrying = (write: () => Promise<void>) => Promise<void>;

/** The steps that a run has done and this pass's code has not come to yet. */
export class Drift {
  private readonly unmet: Set<string>;
  private readonly stops: boolean;
  /** What the code would run, or ran, with some of them unmet; `null` for its end. */
  private first: { next: string | null } | undefined;
  private noting: Promise<void> | undefined;

  private constructor(
    private readonly run: ClaimedRun,
    private readonly workflow: Workflow,
    private readonly db: Db,
  ) {
    this.unmet = new Set(run.steps.filter(isKept).map(({ name }) => name));
    this.stops = stopsOnDrift(workflow, run);
  }

  /** Undefined where nobody looks: the run has done nothing yet, or its code is trusted. */
  static of(run: ClaimedRun, workflow: Workflow | undefined, db: Db): Drift | undefined {
    return workflow && run.steps.length > 0 && looksForDrift(workflow, run) ? new Drift(run, workflow, db) : undefined;
  }

  meet(name: string): void {
    this.unmet.delete(name);
  }

  /** Once the code has come as far as kept outcomes bring it: why it has to stop there; undefined when it may go on. */
  found(next: string | undefined): HandrailError | undefined {
    if (this.unmet.size === 0) return undefined;
    this.first ??= { next: next ?? null };
    if (!this.stops) return undefined;
    const { workflow, run } = this;
    const gone = [...this.unmet];
    const instead = next === undefined ? "comes to its end" : `would run "${next}"`;
    return new HandrailError(
      "drifted",
      `The code of "${workflow.name}" that runs here, version ${workflow.version}, ${instead} without ${listed(gone)}, which this run (begun with version ${run.version}) has done. Nothing was run. Deploy code that fits, or version ${run.version} beside it, and rerun.`,
      { gone: gone.slice(0, NOTED), next: next ?? null, version: workflow.version, begunWith: run.version },
    );
  }

  /** What was found is on record before the code goes on: after a crash, another step would be taken for the first. */
  keepFirst(retrying: Retrying): Promise<void> {
    this.noting ??= this.keep(retrying);
    return this.noting;
  }

  /** Before the claim ends: what the code has come to after all is taken back, also what an earlier pass had missed. */
  async keepLast(retrying: Retrying): Promise<void> {
    if (this.note !== null || (!this.stops && this.unmet.size === 0)) await this.keep(retrying);
  }

  private async keep(retrying: Retrying): Promise<void> {
    const { run, workflow, note } = this;
    await faultPoint("drift:before-note");
    await retrying(() => keepDrift(this.db, { runId: run.id, epoch: run.epoch, version: workflow.version }, note));
    await faultPoint("drift:after-note");
  }

  /** What the pass has found so far; null for nothing. */
  get note(): DriftNote | null {
    if (!this.first) return null;
    const gone = [...this.unmet];
    return { gone: gone.slice(0, NOTED), goneCount: gone.length, next: this.first.next, stopped: this.stops };
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return `${names.length === 1 ? "step" : "steps"} ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
