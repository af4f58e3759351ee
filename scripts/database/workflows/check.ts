import type { AppServices } from "../../../lib/engine/workflows/workflow";
import type { Home } from "../home";
import { withDatabase } from "../with-database";
import { checkCode } from "./check-code";
import { checkGuards } from "./check-guards";
import { checkOpenRuns } from "./check-open-runs";
import { checkSchedules } from "./check-schedules";
import type { Finding } from "./finding";
import { readGuards, readSchedules } from "./known";

export interface WorkflowsCheck {
  /** Those of the code, with the open runs of the database that need just that version. */
  workflows: { name: string; version: number; drift: "stop" | "go_on"; openRuns: number }[];
  /** In the database, of workflows that are not in another language. */
  openRuns: number;
  /** What breaks first. */
  findings: Finding[];
}

/**
 * Compares the workflows of the code at hand with a database, before workers with this code start. Read-only.
 * @param config the file that names the workflows, instead of the usual one
 */
export async function checkWorkflows(home: Home, config?: string): Promise<WorkflowsCheck> {
  const { workflows, schedules = [], services = {} } = await home.loadApp(config);
  const names = workflows.map(({ name }) => name);
  return withDatabase(home, "workflows check", async (db) => {
    const known = await readSchedules(
      db,
      names,
      schedules.map(({ name }) => name),
    );
    const { versionWaitMs } = home.env;
    const { open, findings } = await checkOpenRuns(db, { workflows, services: services as AppServices, versionWaitMs });
    const all = [
      ...checkCode(workflows),
      ...findings,
      ...(await checkSchedules(schedules, workflows, known)),
      ...checkGuards(workflows, await readGuards(db, names)),
    ];
    const runsOf = (name: string, version: number) =>
      open
        .filter((runs) => runs.workflow === name && (runs.chosen ?? runs.version) === version)
        .reduce((sum, { runs }) => sum + runs, 0);
    return {
      workflows: workflows.map(({ name, version, drift }) => ({
        name,
        version,
        drift,
        openRuns: runsOf(name, version),
      })),
      openRuns: open.reduce((sum, { runs }) => sum + runs, 0),
      findings: [...all.filter(({ level }) => level === "breaks"), ...all.filter(({ level }) => level === "note")],
    };
  });
}
