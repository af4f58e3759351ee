import { expect, it } from "vitest";
import { createTestDatabase } from "../../testing/database/database";
import { ChildWorker } from "../../testing/processes/crash";

it.each([
  ["deploy:before-commit", 0],
  ["deploy:after-commit", 1],
] as const)(
  "a worker that is killed while it registers new versions, at %s, marks their deploy wholly or not at all, and the next one makes it one mark",
  async (point, marked) => {
    const database = await createTestDatabase();
    try {
      await database.pool.query(
        "insert into handrail.workflow (name, version, title) values ('order-fulfilment', 1, 'Orders')",
      );
      const count = async (from: string) => (await database.pool.query(`select from handrail.${from}`)).rowCount;
      const victim = ChildWorker.spawn(database, { fault: { point } });
      expect(await victim.untilEnded()).toBe("SIGKILL");
      expect(await count("deploy")).toBe(marked);
      expect((await count("workflow")) === 1).toBe(marked === 0);
      const survivors = [ChildWorker.spawn(database), ChildWorker.spawn(database)];
      await Promise.all(survivors.map((worker) => worker.untilReady()));
      expect(await count("deploy")).toBe(1);
      for (const worker of survivors) worker.kill();
      await Promise.all(survivors.map((worker) => worker.untilEnded()));
    } finally {
      await database.drop();
    }
  },
);
