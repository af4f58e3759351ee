import { userSync } from "../../demo/workflows/user-sync/user-sync";
import { defineSchedule } from "../../lib/engine/schedules/schedule";
import { poolDb } from "../../lib/store/db";
import { syncSchedules } from "../../lib/store/schedules/sync-schedules";
import { anApiWithSignIn, BOOTSTRAP } from "../../lib/testing/api/with-sign-in";
import { aRun } from "../../lib/testing/rows/a-run";
import { aWorker } from "../../lib/testing/rows/run-rows";

/** Everything that a caller bound to one workflow must not reach. */
export const FOREIGN = "order-fulfilment";
export const OWN = "user-sync";

export const REASON = "an attack";

/** The API with sign-in, and one target of every kind. Call it in `beforeAll`. */
export async function theScene() {
  const api = await anApiWithSignIn();
  const db = poolDb(api.database.pool);
  const boot = (method: string, path: string, body?: object) =>
    api.as(BOOTSTRAP, method, path, body === undefined ? {} : { body });
  await syncSchedules(db, [defineSchedule({ name: "a-schedule", workflow: userSync, everyMs: 86_400_000, input: {} })]);
  const foreign = {
    failed: await aRun(db, { workflow: FOREIGN }).failedAt("charge-payment"),
    unknown: await aRun(db, { workflow: FOREIGN }).waitingUnknown("charge-payment"),
    asking: await aRun(db, { workflow: FOREIGN }).asking("go-on", ["yes", "no"]),
    compensating: await aRun(db, { workflow: FOREIGN }).compensating(),
    asleep: await aRun(db, { workflow: FOREIGN }).asleepAfter("create-order"),
    completed: await aRun(db, { workflow: FOREIGN }).completed(),
    workerId: await aWorker(db, { name: "theirs", workflows: [FOREIGN] }),
  };
  const own = { failed: await aRun(db, { workflow: OWN, tags: {} }).failedAt("charge-payment") };
  const rows = async (text: string, values: unknown[] = []) => (await api.database.pool.query(text, values)).rows;
  return { ...api, db, boot, foreign, own, rows };
}

export type Scene = Awaited<ReturnType<typeof theScene>>;
