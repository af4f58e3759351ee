import { HandrailError } from "../../engine/errors";
import type { Workflow } from "../../engine/workflows/workflow";
import { stopsOnDrift } from "../../engine/workflows/workflow-versions";
import type { Db } from "../../store/db";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { type DriftNote, excusedByReruns, keepDrift } from "../../store/workflows/drift";
import { faultPoint } from "../fault-points";
import { isKept } from "../steps/kept-step";

/** Names that a message lists; of more it says how many. */
const NAMED = 5;
/** Names that are kept. */
const NOTED = 100;
/**
 * Code between steps may wait for something else than steps. It has this long, once per pass, to reach the done steps.
 */
const GRACE_MS = 1_000;

/** Repeats a statement until it is answered. */
type Retrying = <Result>(statement: () => Promise<Result>) => Promise<Result>;

/** The steps that a run has done and this pass's code has not reached yet. */
export class Drift {
  /** Their positions, by name. */
  private readonly unmet: Map<string, number>;
  /** Of every step on record. */
  private readonly positions: ReadonlyMap<string, number>;
  private readonly stops: boolean;
  /** What the code would run, or ran, with some of them not reached; `null` for its end. */
  private first: { next: string | null } | undefined;
  private stopped = false;
  private noting: Promise<void> | undefined;
  private grace: Promise<void> | undefined;
  private endGrace: (() => void) | undefined;
  private excused: Promise<ReadonlySet<string>> | undefined;

  private constructor(
    private readonly run: ClaimedRun,
    private readonly workflow: Workflow,
    private readonly db: Db,
  ) {
    this.positions = new Map(run.steps.map(({ name, position }) => [name, position]));
    this.unmet = new Map(run.steps.filter(isKept).map(({ name, position }) => [name, position]));
    this.stops = stopsOnDrift(workflow);
  }

  /** Undefined for a run that has done nothing yet. */
  static of(run: ClaimedRun, workflow: Workflow | undefined, db: Db): Drift | undefined {
    return workflow && run.steps.length > 0 ? new Drift(run, workflow, db) : undefined;
  }

  meet(name: string): void {
    this.unmet.delete(name);
    if (this.unmet.size === 0) this.endGrace?.();
  }

  /**
   * Once recorded outcomes bring the code no further: whether it has left something out. A recorded step is requested
   * before those behind it. `undefined` is the code's end.
   */
  isSuspected(next: string | undefined): boolean {
    return this.goneBefore(next).length > 0;
  }

  /** Why the code must stop there; undefined when it may continue. */
  async found(next: string | undefined, retrying: Retrying): Promise<HandrailError | undefined> {
    if (this.stops && next !== undefined) await this.untilMet();
    if (!this.isSuspected(next)) return undefined;
    const excused = this.stops ? await this.excusedSteps(retrying) : new Set<string>();
    // Checked again: branches continued meanwhile.
    const suspects = this.goneBefore(next);
    const gone = suspects.filter((name) => !excused.has(name));
    if (suspects.length === 0 || (gone.length === 0 && this.isOnRecord(next))) return undefined;
    this.first ??= { next: next ?? null };
    if (!this.stops || gone.length === 0) return undefined;
    this.stopped = true;
    return this.error(gone, next);
  }

  private error(gone: readonly string[], next: string | undefined): HandrailError {
    const { workflow, run } = this;
    const instead = next === undefined ? "ends" : `would run "${next}"`;
    const cure =
      workflow.version === run.version
        ? `Deploy code that reaches ${gone.length === 1 ? "it" : "them"} again`
        : `Deploy code that fits, or version ${run.version} beside it`;
    return new HandrailError(
      "drifted",
      `The code of "${workflow.name}" that runs here, version ${workflow.version}, ${instead} without ${listed(gone)}, which this run (begun with version ${run.version}) has done. Nothing was run. ${cure}, and rerun.`,
      { gone: gone.slice(0, NOTED), next: next ?? null, version: workflow.version, begunWith: run.version },
    );
  }

  private goneBefore(next: string | undefined): string[] {
    if (this.unmet.size === 0) return [];
    const end = (next === undefined ? undefined : this.positions.get(next)) ?? Number.POSITIVE_INFINITY;
    return [...this.unmet].filter(([, position]) => position < end).map(([name]) => name);
  }

  private isOnRecord(next: string | undefined): boolean {
    return next !== undefined && this.positions.has(next);
  }

  private untilMet(): Promise<void> {
    this.grace ??= new Promise((resolve) => {
      const timer = setTimeout(resolve, GRACE_MS);
      this.endGrace = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.grace;
  }

  /** After a rerun by a person, the code may take another path than after the step's first outcome. */
  private excusedSteps(retrying: Retrying): Promise<ReadonlySet<string>> {
    if (this.run.generation === 1) return Promise.resolve(new Set());
    this.excused ??= retrying(() => excusedByReruns(this.db, this.run.id));
    return this.excused;
  }

  /** Findings are recorded before the code continues: after a crash, another step would be taken for the first. */
  keepFirst(retrying: Retrying): Promise<void> {
    this.noting ??= this.keep(retrying);
    return this.noting;
  }

  /**
   * Before the claim ends: steps that the code has reached after all are removed, also those that an earlier pass
   * missed.
   */
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
    const gone = [...this.unmet.keys()];
    return { gone: gone.slice(0, NOTED), goneCount: gone.length, next: this.first.next, stopped: this.stopped };
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return `${names.length === 1 ? "step" : "steps"} ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
