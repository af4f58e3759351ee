import { expect } from "vitest";
import { workflows } from "../../../demo/workflows/index";
import { versionsByName } from "../../engine/workflows/workflow-versions";
import { poolDb } from "../../store/db";
import { registerWorker } from "../../store/workers/workers";
import { rerun } from "../actions";
import type { TestDatabase } from "../database/database";
import { untilEnded } from "../database/history";
import { aDesk } from "../desk";
import { startWorker } from "../workers/a-worker";
import { EVERY_CLAIM, ONCE_STEP, PLAIN_STEP, rowsOf, SAME_FOR_ALL, type Scene } from "./fault-scene";

/** It failed on version 1, and a person chose version 2 for it; no worker has claimed it yet. */
async function failedAndRerun(database: TestDatabase, runId: string): Promise<void> {
  const worker = await startWorker(database, workflows);
  await untilEnded(database.pool, runId);
  await worker.stop();
  const db = poolDb(database.pool);
  const names = { workflows: ["delivery-letter"], versions: versionsByName(workflows) };
  await registerWorker(db, { name: "has both versions", ...names, concurrency: 1, leaseMs: 60_000 });
  await rerun(aDesk(db), { runId, version: 2, reason: "version 2 knows more countries" });
  await database.pool.query("update handrail.worker set stopped_at = clock_timestamp() where stopped_at is null");
}

/** A worker dies while it continues a run by another version, whose code leaves out done steps. */
export const driftScene = (judgeMails: (email: string) => Promise<void>): Scene => ({
  workflow: "delivery-letter",
  version: 1,
  input: (id) => ({ orderId: id, email: `${id}@example.com`, postcode: "SW1A 1AA" }),
  before: failedAndRerun,
  passes: [
    ...EVERY_CLAIM,
    ...PLAIN_STEP,
    ...ONCE_STEP,
    "version:before-change",
    "version:after-change",
    "drift:before-note",
    "drift:after-note",
  ],
  except: [...SAME_FOR_ALL, ...ONCE_STEP],
  judge: async ({ run }, id, database) => {
    expect(run).toMatchObject({ status: "completed", output: { country: "GB" }, code_version: 2, chosen_version: 2 });
    const notes = "select version, gone, next, stopped from handrail.drift where run_id = $1";
    expect(await rowsOf(database, notes, [run.id])).toEqual([
      { version: 2, gone: ["write-letter"], next: "look-up-country", stopped: false },
    ]);
    const changes = "select version, generation from handrail.version_change where run_id = $1";
    expect(await rowsOf(database, changes, [run.id])).toEqual([{ version: 2, generation: 2 }]);
    await judgeMails(`${id}@example.com`);
  },
});
