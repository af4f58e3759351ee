import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { poolDb } from "../../lib/store/db";
import { syncSchedules } from "../../lib/store/schedules/sync-schedules";
import { createTestDatabase } from "../../lib/testing/database/database";
import { untilEnded } from "../../lib/testing/database/history";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { ChildWorker } from "../../lib/testing/processes/crash";
import { theOutsideWorld } from "../../lib/testing/processes/outside-world";
import { until } from "../../lib/testing/until";
import { startWorker } from "../../lib/testing/workers/a-worker";
import { startSandbox } from "../sandbox/server";
import { workflows } from "./index";
import { schedules } from "./schedules";

const world = theOutsideWorld(startSandbox);
const WITH_SCHEDULES = fileURLToPath(new URL("../../lib/testing/workflows/samples-with-schedules.ts", import.meta.url));

it.each(["schedule:before-fire", "schedule:before-commit", "schedule:after-commit"] as const)(
  "a nominal time under which a worker is killed, at %s, is fired once",
  async (point) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    await callWitness(database.pool);
    await syncSchedules(poolDb(database.pool), schedules);
    const due = "date_trunc('day', clock_timestamp()) - interval '1 h'";
    await database.pool.query(`update handrail.schedule set nominal_at = ${due}, look_at = ${due}`);

    const setup = { leaseMs: 20_000, fault: { point }, env: world.env(), workflows: WITH_SCHEDULES };
    const victim = ChildWorker.spawn(database, setup);
    onTestFinished(() => victim.kill());
    expect(await victim.untilEnded()).toBe("SIGKILL");
    await database.pool.query(
      "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where stopped_at is null",
    );

    const survivor = await startWorker(database, workflows, { connections: 4, schedules });
    onTestFinished(() => survivor.stop(100));
    const runs = async () => (await database.pool.query<{ id: string }>("select id from handrail.run")).rows;
    const id = await until("The schedule's run", async () => (await runs())[0]?.id);
    expect((await untilEnded(database.pool, id)).run).toMatchObject({ status: "completed", output: { synced: 12 } });
    await survivor.stop();
    expect(await runs()).toHaveLength(1);
    await expectInvariants(database.pool);
  },
);
