import { HandrailError } from "../../engine/errors";
import type { Workflow } from "../../engine/workflows/workflow";
import { stopsOnDrift } from "../../engine/workflows/workflow-versions";
import type { Db } from "../../store/db";
import { type DriftNote, excusedByReruns, keepDrift } from "../../store/workflows/drift";
import type { Claim } from "../claims/claim";
import { faultPoint } from "../fault-points";
import type { Pass } from "../passes/pass";
import { never } from "../passes/promises";
import type { Rest } from "../passes/rest";
import { isKept } from "../steps/kept-step";

/** Names that a message lists; of more it says how many. */
const NAMED = 5;
/** Names that are kept. */
const NOTED = 100;
/**
 * Code between steps may wait for something else than steps. It has this long, once per pass, to reach the done steps.
 */
const GRACE_MS = 1_000;

/** The steps that a run has done and this pass's code has not reached yet. */
export class Drift {
  /** Their positions, by name. */
  private readonly unmet: Map<string, number>;
  /** Of every step on record. */
  private readonly positions: ReadonlyMap<string, number>;
  private readonly stops: boolean;
  /** What the code would run, or ran, with some of them not reached; `null` for its end. */
  private first: { next: string | null } | undefined;
  private stoppedBy: HandrailError | undefined;
  private noting: Promise<void> | undefined;
  private grace: Promise<void> | undefined;
  private endGrace: (() => void) | undefined;
  private excused: Promise<ReadonlySet<string>> | undefined;

  private constructor(
    private readonly claim: Claim,
    private readonly rest: Rest,
    private readonly workflow: Workflow,
    private readonly db: Db,
  ) {
    const { run } = claim;
    this.positions = new Map(run.steps.map(({ name, position }) => [name, position]));
    this.unmet = new Map(run.steps.filter(isKept).map(({ name, position }) => [name, position]));
    this.stops = stopsOnDrift(workflow);
  }

  /** Undefined for a run that has done nothing yet. */
  static of({ claim, rest }: Pass, workflow: Workflow, db: Db): Drift | undefined {
    return claim.run.steps.length > 0 ? new Drift(claim, rest, workflow, db) : undefined;
  }

  meet(name: string): void {
    this.unmet.delete(name);
    if (this.unmet.size === 0) this.endGrace?.();
  }

  /**
   * Once recorded outcomes bring the code no further: has it left something out? A recorded step is requested before
   * those behind it. `undefined` is the code's end. Never resolves in drifted code that stops.
   */
  before(next: string | undefined): Promise<void> | undefined {
    return this.stoppedBy || this.isSuspected(next) ? this.stopOrNote(next) : undefined;
  }

  private async stopOrNote(next: string | undefined): Promise<void> {
    await this.rest.work(async () => {
      this.stoppedBy ??= await this.found(next);
      if (!this.stoppedBy && this.note && next !== undefined) await this.keepFirst();
    });
    if (!this.stoppedBy) return;
    this.rest.stop("drifted", this.stoppedBy);
    await never();
  }

  private isSuspected(next: string | undefined): boolean {
    return this.goneBefore(next).length > 0;
  }

  /** Why the code must stop there; undefined when it may continue. */
  private async found(next: string | undefined): Promise<HandrailError | undefined> {
    if (this.stops && next !== undefined) await this.untilMet();
    if (!this.isSuspected(next)) return undefined;
    const excused = this.stops ? await this.excusedSteps() : new Set<string>();
    // Checked again: branches continued meanwhile.
    const suspects = this.goneBefore(next);
    const gone = suspects.filter((name) => !excused.has(name));
    if (suspects.length === 0 || (gone.length === 0 && this.isOnRecord(next))) return undefined;
    this.first ??= { next: next ?? null };
    if (!this.stops || gone.length === 0) return undefined;
    return this.error(gone, next);
  }

  private error(gone: readonly string[], next: string | undefined): HandrailError {
    const { workflow } = this;
    const { run } = this.claim;
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
  private excusedSteps(): Promise<ReadonlySet<string>> {
    const { claim } = this;
    if (claim.run.generation === 1) return Promise.resolve(new Set());
    this.excused ??= claim.retrying(() => excusedByReruns(this.db, claim.run.id));
    return this.excused;
  }

  /** Findings are recorded before the code continues: after a crash, another step would be taken for the first. */
  private keepFirst(): Promise<void> {
    this.noting ??= this.keep();
    return this.noting;
  }

  /**
   * Before the claim ends: steps that the code has reached after all are removed, also those that an earlier pass
   * missed.
   */
  async keepLast(): Promise<void> {
    if (this.note !== null || (!this.stops && this.unmet.size === 0)) await this.keep();
  }

  private async keep(): Promise<void> {
    const { claim, workflow, note } = this;
    const { id: runId, epoch } = claim.run;
    await faultPoint("drift:before-note");
    await claim.retrying(() => keepDrift(this.db, { runId, epoch, version: workflow.version }, note));
    await faultPoint("drift:after-note");
  }

  /** What the pass has found so far; null for nothing. */
  private get note(): DriftNote | null {
    if (!this.first) return null;
    const gone = [...this.unmet.keys()];
    return {
      gone: gone.slice(0, NOTED),
      goneCount: gone.length,
      next: this.first.next,
      stopped: this.stoppedBy !== undefined,
    };
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return `${names.length === 1 ? "step" : "steps"} ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
