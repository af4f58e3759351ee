import type { Workflow } from "../../lib/engine/workflows/workflow";
import type { TestDatabase } from "../../lib/testing/database/database";
import type { Violation } from "./judge";
import { randomOf } from "./random";
import type { Rig } from "./rig";
import { Scene } from "./scene";

export interface Fault {
  name: string;
  /** How the fault strikes, for the table's readers. */
  how: string;
  /** Loads the scene and strikes; gives how often it struck. @throws Skipped where it cannot strike on this machine */
  strike(scene: Scene): Promise<number>;
  /** For a fault that needs its own database; `drop` removes everything. */
  database?(rig: Rig): Promise<TestDatabase>;
  /** What the recovering worker knows, if not the sample workflows. */
  workflows?: readonly Workflow[];
}

/** The machine lacks what the fault needs. */
export class Skipped extends Error {}

export interface Trial {
  fault: string;
  how: string;
  seed: number;
  runs: number;
  struck: number;
  seconds: number;
  violations: Violation[];
  skipped?: string;
}

let trials = 0;

/** One fault, from a fresh database to the verdict. */
export async function tryFault(rig: Rig, fault: Fault, seed: number): Promise<Trial> {
  const since = performance.now();
  const trial = (rest: Pick<Trial, "runs" | "struck" | "violations" | "skipped">): Trial => ({
    fault: fault.name,
    how: fault.how,
    seed,
    seconds: Math.round((performance.now() - since) / 100) / 10,
    ...rest,
  });
  try {
    const database = await (fault.database ?? rig.database)(rig);
    return trial(await playScene(new Scene(rig, database, randomOf(seed, fault.name), `${++trials}`), fault));
  } catch (error) {
    if (error instanceof Skipped) return trial({ runs: 0, struck: 0, violations: [], skipped: error.message });
    const what = `the trial broke off: ${error instanceof Error ? error.stack : error}`;
    return trial({ runs: 0, struck: 0, violations: [{ promise: "P1", what }] });
  }
}

async function playScene(scene: Scene, fault: Fault): Promise<Pick<Trial, "runs" | "struck" | "violations">> {
  try {
    const struck = await fault.strike(scene);
    await scene.recover(fault.workflows);
    scene.check(struck > 0, "P1", "the fault did not strike: this trial proves nothing");
    const violations = await scene.verdict();
    await scene.close();
    return { runs: scene.judged, struck, violations };
  } catch (error) {
    // The first error says more than a later one in the cleanup.
    await scene.close().catch(() => undefined);
    throw error;
  }
}
