import { HandrailError } from "../engine/errors";
import type { Workflow } from "../engine/workflow";
import { stopsOnDrift } from "../engine/workflow-versions";
import type { ClaimedRun } from "../store/claim-runs";
import { isKept } from "./kept-step";

/** Names that a message lists; of more it says how many. */
const NAMED = 5;

/** The steps that a run has done and this pass's code has not come to yet. */
export class Drift {
  private readonly unmet: Set<string>;

  private constructor(
    private readonly run: ClaimedRun,
    private readonly workflow: Workflow,
  ) {
    this.unmet = new Set(run.steps.filter(isKept).map(({ name }) => name));
  }

  /** Undefined where nobody looks: the run has done nothing yet, or goes on whatever its code makes of it. */
  static of(run: ClaimedRun, workflow: Workflow | undefined): Drift | undefined {
    return workflow && run.steps.length > 0 && stopsOnDrift(workflow, run) ? new Drift(run, workflow) : undefined;
  }

  meet(name: string): void {
    this.unmet.delete(name);
  }

  /** Once the code has come as far as kept outcomes bring it: what it has left out; undefined when nothing. */
  found(next: string | undefined): HandrailError | undefined {
    if (this.unmet.size === 0) return undefined;
    const { workflow, run } = this;
    const gone = [...this.unmet];
    const instead = next === undefined ? "comes to its end" : `would run "${next}"`;
    return new HandrailError(
      "drifted",
      `The code of "${workflow.name}" that runs here, version ${workflow.version}, ${instead} without ${listed(gone)}, which this run (begun with version ${run.version}) has done. Nothing was run. Deploy code that fits, or version ${run.version} beside it, and rerun.`,
      { gone: gone.slice(0, 100), next: next ?? null, version: workflow.version, begunWith: run.version },
    );
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => `"${name}"`);
  const rest = names.length - shown.length;
  return `${names.length === 1 ? "step" : "steps"} ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
