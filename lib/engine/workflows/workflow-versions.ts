import { HandrailError } from "../errors";
import type { Workflow } from "./workflow";

/** How long a run that has begun waits for its version if no live worker has it, unless configured. */
export const VERSION_WAIT_MS = 60_000;

type Named = Pick<Workflow, "name" | "version">;

/** A workflow may have several versions. New runs begin with the newest: one per name, in the given order. */
export function newestOf<Known extends Named>(workflows: readonly Known[]): Known[] {
  const newest = new Map<string, Known>();
  for (const workflow of workflows) {
    const known = newest.get(workflow.name);
    if (!known || known.version < workflow.version) newest.set(workflow.name, workflow);
  }
  return [...newest.values()];
}

/** The newest version, or the given one. @throws HandrailError `unknown_workflow`, `unknown_version` */
export function workflowNamed(workflows: readonly Workflow[], name: string, version?: number): Workflow {
  const chosen = workflows.find((one) => one.name === name && one.version === version);
  if (chosen) return chosen;
  const newest = newestOf(workflows);
  const workflow = newest.find((candidate) => candidate.name === name);
  if (workflow && version !== undefined) throw unknownVersion(name, version, versionsByName(workflows)[name] ?? []);
  if (workflow) return workflow;
  throw unknownWorkflow(
    name,
    newest.map((candidate) => candidate.name),
  );
}

/** @param workflows the names there are */
export const unknownWorkflow = (name: string, workflows: readonly string[]) =>
  new HandrailError("unknown_workflow", `There is no workflow named "${name}".`, { workflows });

/** @param versions those there are */
export const unknownVersion = (workflow: string, version: number, versions: readonly number[]) =>
  new HandrailError(
    "unknown_version",
    `There is no version ${version} of workflow "${workflow}": nothing was started. Known: ${versions.join(", ")}.`,
    { workflow, version, versions },
  );

/**
 * The code for a run that this worker has claimed: only the version that an operator has chosen for it; without such a
 * choice, the version that claimed it last, which is the one it was started as unless `codeVersion` says another; or
 * else the newest, if the claim found that no live worker has the run's version. Undefined if there is none.
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

/** The versions of each name, in ascending order, as a worker reports them. */
export function versionsByName(workflows: readonly Named[]): Record<string, number[]> {
  // A map, because a workflow may be named like a property of every object: "constructor".
  const versions = new Map<string, number[]>();
  for (const { name, version } of workflows)
    versions.set(
      name,
      [...(versions.get(name) ?? []), version].sort((a, b) => a - b),
    );
  return Object.fromEntries(versions);
}

/** Whether a run stops if its code has drifted from its record. */
export const stopsOnDrift = (workflow: Pick<Workflow, "drift">): boolean => workflow.drift === "stop";
