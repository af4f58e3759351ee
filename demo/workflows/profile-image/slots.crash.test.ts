import { expect, it } from "vitest";
import { poolDb } from "../../../lib/store/db";
import { createTestDatabase } from "../../../lib/testing/database/database";
import { untilEnded } from "../../../lib/testing/database/history";
import { expectInvariants } from "../../../lib/testing/database/invariants";
import { callWitness } from "../../../lib/testing/database/witness";
import { ChildWorker } from "../../../lib/testing/processes/crash";
import { A_PNG, theOutsideWorld } from "../../../lib/testing/processes/outside-world";
import { start, startWorker } from "../../../lib/testing/workers/a-worker";
import { startSandbox } from "../../sandbox/server";
import { workflows } from "../index";
import { profileImage } from "./profile-image";

const world = theOutsideWorld(startSandbox);

it.each(["step:before-body", "queue:after-take", "queue:before-commit"] as const)(
  "the slots of a worker that is killed at %s come back, and nobody else's are spent meanwhile",
  async (point) => {
    const database = await createTestDatabase();
    try {
      await callWitness(database.pool);
      await database.pool.query(`
        create function witness.slots() returns trigger language plpgsql as $$
        begin
          if (select count(*) from handrail.run
              where workflow = new.workflow and queue_key = new.queue_key and worker_id is not null) > 1 then
            insert into witness.seen values ('P1', 'a limit was overspent', to_jsonb(old), to_jsonb(new));
          end if;
          return null;
        end $$;
        create trigger witness_slots after update on handrail.run for each row
          when (new.queue_key is not null and new.worker_id is not null) execute function witness.slots()`);
      const db = poolDb(database.pool);
      const ids: string[] = [];
      for (let n = 0; n < 12; n++) ids.push(await start(db, profileImage, { userId: `user-${n % 3}`, image: A_PNG }));
      const victim = ChildWorker.spawn(database, { leaseMs: 20_000, fault: { point, passage: 2 }, env: world.env() });
      expect(await victim.untilEnded()).toBe("SIGKILL");
      await database.pool.query(
        "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where stopped_at is null",
      );
      const survivors = [await startWorker(database, workflows), await startWorker(database, workflows)];
      for (const id of ids) expect((await untilEnded(database.pool, id)).run.status).toBe("completed");
      await Promise.all(survivors.map((survivor) => survivor.stop()));
      await expectInvariants(database.pool);
    } finally {
      await database.drop();
    }
  },
);
