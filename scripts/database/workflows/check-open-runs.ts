import { isReserved } from "../../../lib/engine/workflows/own-workflows";
import type { AppServices, Workflow } from "../../../lib/engine/workflows/workflow";
import { versionsByName } from "../../../lib/engine/workflows/workflow-versions";
import { formatDuration, plural } from "../../../lib/format";
import type { Db } from "../../../lib/store/db";
import { namesElsewhere } from "../../../lib/store/workers/remote-workers";
import { checkVersions, type Misfit } from "../../../lib/worker/versions/check-versions";
import { type Finding, finding, RUN_IDS } from "./finding";
import { countOpenRuns, type OpenRuns } from "./known";

interface Code {
  workflows: readonly Workflow[];
  services: AppServices;
  /** How long a version is waited for before another goes on with what it has begun. */
  versionWaitMs: number;
}

/** Whether the open runs go on with the code: each is rehearsed, no body is called, and nothing is written. */
export async function checkOpenRuns(
  db: Db,
  { workflows, services, versionWaitMs }: Code,
): Promise<{ open: OpenRuns[]; findings: Finding[] }> {
  const elsewhere = new Set(await namesElsewhere(db));
  const versions = new Map(Object.entries(versionsByName(workflows)));
  // Handrail's own come with it, and code in other languages is not here.
  const open = (await countOpenRuns(db)).filter(
    ({ workflow }) => !isReserved(workflow) && (versions.has(workflow) || !elsewhere.has(workflow)),
  );
  const { misfits } = await checkVersions(db, workflows, services);
  return {
    open,
    findings: [
      ...grouped(misfits.filter(({ workflow }) => !isReserved(workflow))),
      ...open.flatMap((runs) => ofOtherVersion(runs, versions.get(runs.workflow) ?? [], versionWaitMs)),
    ],
  };
}

/** Runs that misfit in the same way, in one finding. */
function grouped(misfits: readonly Misfit[]): Finding[] {
  const groups = new Map<string, Misfit[]>();
  for (const misfit of misfits) {
    const { runId: _, ...how } = misfit;
    const key = JSON.stringify(how);
    groups.set(key, [...(groups.get(key) ?? []), misfit]);
  }
  return [...groups.values()].map((alike) => {
    const one = alike[0] as Misfit;
    const breaks = one.kind === "no code" || one.stops;
    return {
      ...finding(
        breaks ? "breaks" : "note",
        one.kind === "drift" ? "drift" : "no_code",
        { workflow: one.workflow, ...(one.kind === "drift" && { version: one.version }) },
        `${runsOf(alike.length, one.workflow, one.begunWith)}: ${misfitText(one)}`,
      ),
      runs: alike.length,
      runIds: alike.slice(0, RUN_IDS).map(({ runId }) => runId),
    };
  });
}

const runsOf = (count: number, workflow: string, version: number) =>
  `${plural(count, "open run")} of "${workflow}", started as version ${version}`;

const NAMES = 5;

function misfitText(misfit: Misfit): string {
  if (misfit.kind === "no code")
    return misfit.chosen === null
      ? "this code has no such workflow; each waits until a worker has it."
      : `this code does not have version ${misfit.chosen}, which was chosen for it; each waits until a worker has it.`;
  const gone = misfit.gone.slice(0, NAMES).map((name) => `"${name}"`);
  const more = misfit.gone.length > gone.length ? ` and ${misfit.gone.length - gone.length} more` : "";
  const then = misfit.next.length > 0 ? `, and would run "${misfit.next[0]}" next` : "";
  const end = misfit.stops
    ? "each would stop there"
    : 'each goes on all the same, since the drift of its workflow is "go_on"';
  return `version ${misfit.version} does not reach ${gone.join(", ")}${more}, which each has done${then}; ${end}.`;
}

/** Of a version that the code does not have, while it has others. */
function ofOtherVersion(runs: OpenRuns, here: readonly number[], waitMs: number): Finding[] {
  const newest = here.at(-1);
  if (newest === undefined || runs.chosen !== null || here.includes(runs.version)) return [];
  const about = { workflow: runs.workflow, version: runs.version };
  const counted = (one: Finding): Finding[] => [{ ...one, runs: runs.runs, runIds: [runs.first] }];
  if (runs.begun)
    return counted(
      finding(
        "note",
        "another_version",
        about,
        `${runsOf(runs.runs, runs.workflow, runs.version)}: version ${newest} goes on with each once no worker has had version ${runs.version} for ${formatDuration(waitMs)}.`,
      ),
    );
  if (newest > runs.version) return [];
  return counted(
    finding(
      "breaks",
      "older_version",
      about,
      `${plural(runs.runs, "run")} of "${runs.workflow}" of version ${runs.version} that ${runs.runs === 1 ? "has" : "have"} not begun: this code has no newer version than ${newest}, and an older one never begins them; they wait until a worker has version ${runs.version}.`,
    ),
  );
}
