import { HandrailError } from "../engine/errors";
import { isReserved } from "../engine/workflows/own-workflows";
import type { RemoteDefinition } from "../engine/workflows/remote-definition";
import { reservedName, type Workflow } from "../engine/workflows/workflow";
import { versionsByName } from "../engine/workflows/workflow-versions";
import { type Answer, answeredOnce } from "../operator/answered-once";
import type { Desk } from "../operator/desk";
import type { Db } from "../store/db";
import { namesOfCode } from "../store/workers/remote-workers";
import { registerWorker } from "../store/workers/workers";
import { auditGuards, registerGuarded } from "../store/workflows/guards";
import { credentialOf } from "./claim-proof";
import { workflowOf } from "./definition";

export interface Registration {
  /** For people: host and process. */
  name: string;
  /** Such as "Python 3.12". */
  language: string;
  workflows: readonly Omit<RemoteDefinition, "language">[];
  concurrency: number;
  leaseMs: number;
  /** The build of its code; absent: unknown. */
  build?: string | undefined;
}

/**
 * Registers a process that will own runs over HTTP, with its workflows. An id is one registration forever: a restarted
 * process registers anew.
 * @throws HandrailError `invalid_workflow`, or `not_allowed` for a name that this installation's own code has; nothing
 * is written then
 */
export function register(
  desk: Desk,
  { name, language, workflows, concurrency, leaseMs, build }: Registration,
  keepMs: number | null,
): Promise<Answer<{ workerId: string; leaseMs: number }>> {
  const reserved = workflows.find(({ name: workflow }) => isReserved(workflow));
  if (reserved) throw reservedName(reserved.name);
  const checked = workflows.map((workflow) => workflowOf({ ...workflow, language }));
  refuseTwice(checked);
  const names = [...new Set(checked.map((workflow) => workflow.name))];
  return desk.db.transaction((tx) =>
    answeredOnce(tx, desk.request, async () => {
      await refuseNamesOfCode(tx, names);
      const changes = await registerGuarded(tx, checked, keepMs, build);
      const versions = versionsByName(checked);
      const id = await registerWorker(tx, {
        name,
        language,
        workflows: names,
        versions,
        concurrency,
        leaseMs,
        build: build ?? null,
        credential: credentialOf(desk.by),
      });
      await auditGuards(tx, desk, changes);
      return { status: 201, body: { workerId: String(id), leaseMs } };
    }),
  );
}

function refuseTwice(workflows: readonly Workflow[]): void {
  const seen = new Set<string>();
  for (const { name, version } of workflows) {
    const key = `${name} ${version}`;
    if (seen.has(key))
      throw new HandrailError("invalid_workflow", `Version ${version} of workflow "${name}" is given twice.`);
    seen.add(key);
  }
}

/** One name, one language: otherwise a worker would claim runs whose steps it does not know. */
async function refuseNamesOfCode(tx: Db, names: readonly string[]): Promise<void> {
  const [taken] = await namesOfCode(tx, names);
  if (taken !== undefined)
    throw new HandrailError(
      "not_allowed",
      `"${taken}" is a workflow of this installation's own code. Give the one of this worker another name.`,
      { workflow: taken },
    );
}
