import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { type Db, poolDb } from "../../store/db";
import { registerWorkflows } from "../../store/workers/workers";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRun } from "../../testing/rows/a-run";
import { RetentionWalk } from "./retention";
import { deleteUntil } from "./retention-loop";

// A deletion that fails holds up no other.

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const DAY = 86_400_000;

/** A workflow with runs that are to be deleted. */
async function expiredOf(name: string, count: number): Promise<string[]> {
  const db = poolDb(database.pool);
  await registerWorkflows(db, [
    defineWorkflow({ name, input: z.any(), retention: { completedMs: DAY } }, async () => 1),
  ]);
  const createdAt = new Date(Date.now() - 3 * DAY);
  const runs = Array.from({ length: count }, (_, index) =>
    aRun(db, { id: uuidv7({ msecs: createdAt.getTime() + index }), workflow: name, createdAt }).completed(),
  );
  return Promise.all(runs);
}

/** As a statement timeout would: `fails` says of which call. */
function failingDb(fails: (statement: string, roots: readonly string[]) => boolean): Db {
  const over = (db: Db): Db => ({
    ...db,
    query: (statement, values) =>
      fails(statement.name, values[0] as string[])
        ? Promise.reject(Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" }))
        : db.query(statement, values),
    transaction: (body) => db.transaction((tx) => body(over(tx))),
  });
  return over(poolDb(database.pool));
}

async function sweep(db: Db) {
  const troubles: { code: string; runId: string | undefined }[] = [];
  const walk = new RetentionWalk(db, (error, runId) =>
    troubles.push({ code: (error as { code: string }).code, runId }),
  );
  const gone: string[] = [];
  for (let steps = 0; steps < 60; steps++) {
    const step = await walk.step();
    gone.push(...step.gone);
    if (!step.more) return { gone, troubles };
  }
  throw new Error("It goes on for ever.");
}

it("a batch that takes too long is tried with fewer runs, and other workflows go on", async () => {
  const many = await expiredOf("a-slow", 20);
  const others = await expiredOf("b-behind", 2);
  const failing = failingDb((name, roots) => name === "delete-expired-runs" && roots.length > 3);
  const { gone, troubles } = await sweep(failing);
  expect(gone.sort()).toEqual([...many, ...others].sort());
  expect(troubles.length).toBeGreaterThan(1);
  expect(troubles[0]).toEqual({ code: "57014", runId: undefined });
});

it("a run that cannot be deleted is passed and reported", async () => {
  const runs = await expiredOf("c-stuck", 9);
  const others = await expiredOf("d-behind", 1);
  const stuck = runs[3] as string;
  const { gone, troubles } = await sweep(
    failingDb((name, roots) => name === "delete-expired-runs" && roots.includes(stuck)),
  );
  expect(gone.sort()).toEqual([...runs.filter((id) => id !== stuck), ...others].sort());
  expect(troubles).toContainEqual({ code: "57014", runId: stuck });
  expect((await sweep(poolDb(database.pool))).gone, "later it can").toEqual([stuck]);
});

it("other old rows that cannot be deleted hold up no runs", async () => {
  const runs = await expiredOf("e-beside", 1);
  const { gone, troubles } = await sweep(failingDb((name) => name === "delete-old-requests"));
  expect(gone).toEqual(runs);
  expect(troubles).toEqual([{ code: "57014", runId: undefined }]);
});

it("a drive passes a run that cannot be deleted, too, and begins nothing once it is late", async () => {
  const runs = await expiredOf("f-driven", 3);
  const others = await expiredOf("g-behind", 1);
  const stuck = runs[0] as string;
  const gone: string[] = [];
  const events = { onGone: (ids: string[]) => gone.push(...ids), onTrouble: () => undefined };
  const failing = failingDb((name, roots) => name === "delete-expired-runs" && roots.includes(stuck));
  let asked = 0;
  await deleteUntil(failing, () => asked++ > 2, events);
  expect(gone).toEqual([]);
  await deleteUntil(failing, () => false, events);
  expect(gone.sort()).toEqual([...runs.slice(1), ...others].sort());
});
