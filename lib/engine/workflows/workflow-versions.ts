import type { Workflow } from "./workflow";

/** How long a run that has begun waits for its version once no live worker has it, unless the deployment says otherwise. */
export const VERSION_WAIT_MS = 60_000;

type Named = Pick<Workflow, "name" | "version">;

/** Several versions of a workflow may be at hand at once. New runs begin with the newest: one of each name, in their order. */
export function newestOf<Known extends Named>(workflows: readonly Known[]): Known[] {
  const newest = new Map<string, Known>();
  for (const workflow of workflows) {
    const known = newest.get(workflow.name);
    if (!known || known.version < workflow.version) newest.set(workflow.name, workflow);
  }
  return [...newest.values()];
}

/**
 * The code for a run that this worker has claimed: of the version that an operator has chosen for it and no other; without such
 * a choice, of the version that took it up last, which is the one it was started as unless `codeVersion` says another; or else
 * the newest. Undefined when there is none. That no live worker has the run's version in the last case is decided by the claim.
 */
export function codeFor(
  workflows: readonly Workflow[],
  run: { workflow: string; version: number; chosenVersion: number | null; codeVersion: number | null },
): Workflow | undefined {
  const versions = workflows.filter(({ name }) => name === run.workflow);
  if (run.chosenVersion !== null) return versions.find(({ version }) => version === run.chosenVersion);
  const needed = run.codeVersion ?? run.version;
  return versions.find(({ version }) => version === needed) ?? newestOf(versions)[0];
}

/** Of each name the versions there are, in ascending order: what a worker tells of itself. */
export function versionsByName(workflows: readonly Named[]): Record<string, number[]> {
  // A map, for a workflow may be named as what every object has: "constructor".
  const versions = new Map<string, number[]>();
  for (const { name, version } of workflows)
    versions.set(
      name,
      [...(versions.get(name) ?? []), version].sort((a, b) => a - b),
    );
  return Object.fromEntries(versions);
}

/** Whether a run stops when its code has drifted from what it has done. */
export const stopsOnDrift = (workflow: Pick<Workflow, "drift">): boolean => workflow.drift === "stop";
