import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Blobs } from "../../blobs/blobs";
import { poolDb } from "../../store/db";
import { erase } from "../../testing/actions";
import { folderBlobs, MIB } from "../../testing/blobs";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { aDesk } from "../../testing/desk";
import { ChildWorker } from "../../testing/processes/crash";
import { start, startWorker } from "../../testing/workers/a-worker";
import { workflows } from "../../testing/workflows/large-values";
import { sweepBlobs } from "../duties/sweep-blobs";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/large-values.ts", import.meta.url));
const [workflow] = workflows;

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  folder = await mkdtemp(join(tmpdir(), "blobs-"));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});
const db = () => poolDb(database.pool);
const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
const blobRows = async () => (await database.pool.query("select held, gone_at from handrail.blob")).rows;
const sweepAll = async () => {
  await database.pool.query(
    "update handrail.blob set made_at = made_at - interval '61 minutes', due_at = case when gone_at is not null then clock_timestamp() end",
  );
  await sweepBlobs(db(), new Blobs(db(), folderBlobs(folder)));
};

/** Each of the three values is announced, put, and then referred to. */
it.each([
  ["blob:announced", 1],
  ["blob:announced", 2],
  ["blob:announced", 3],
  ["blob:put", 1],
  ["blob:put", 2],
  ["blob:put", 3],
  ["flush:before", 1],
  ["flush:after", 1],
  ["transaction:before-commit", 1],
  ["transaction:after-commit", 1],
  ["run:before-end", 1],
] as const)(
  "a worker killed at %s, passage %i: the run ends with its values, and what was left behind is deleted",
  async (point, passage) => {
    const id = await start(db(), workflow);
    const killed = ChildWorker.spawn(database, {
      workflows: WORKFLOWS,
      // On a busy machine values of this size take longer than a short lease, and the worker would end before the point.
      leaseMs: 10_000,
      fault: { point, passage },
      env: { BLOB_FOLDER: folder },
    });
    expect(await killed.untilEnded()).toBe("SIGKILL");
    const next = await startWorker(database, workflows, { blobs: folderBlobs(folder) });
    const { run } = await untilEnded(database.pool, id);
    expect(run).toMatchObject({ status: "completed", output: { $type: "blob", size: 2 * MIB + 2 } });
    await next.stop();
    await sweepAll();
    expect(await blobRows()).toEqual([1, 2, 3].map(() => ({ held: true, gone_at: null })));
    expect(files()).toBe(3);
    const { rows } = await database.pool.query("select output from handrail.run where id = $1", [id]);
    expect(await new Blobs(db(), folderBlobs(folder)).loaded([id, "output"], rows[0].output)).toHaveLength(2 * MIB + 2);
    await expectInvariants(database.pool);
  },
);

it.each(["blob:before-delete", "blob:after-delete"] as const)(
  "a worker killed at %s: another deletes the blobs of an erased run, and then their rows",
  async (point) => {
    const id = await start(db(), workflow);
    const first = await startWorker(database, workflows, { blobs: folderBlobs(folder) });
    await untilEnded(database.pool, id);
    await first.stop();
    await erase(aDesk(db()), { runId: id, reason: "asked" });
    expect(files()).toBe(3);
    const killed = ChildWorker.spawn(database, {
      workflows: WORKFLOWS,
      fault: { point },
      env: { BLOB_FOLDER: folder },
    });
    expect(await killed.untilEnded()).toBe("SIGKILL");
    expect(files()).toBe(point === "blob:before-delete" ? 3 : 0);
    expect(await blobRows()).toHaveLength(3);
    await sweepAll();
    expect([files(), await blobRows()]).toEqual([0, []]);
    await expectInvariants(database.pool);
  },
);
