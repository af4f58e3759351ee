import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { createTestDatabase } from "../../testing/database/database";
import { ChildWorker } from "../../testing/processes/crash";
import { start } from "../../testing/workers/a-worker";
import { manyItems } from "../../testing/workflows/many-items";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/many-items.ts", import.meta.url));
/** The measurement in docs/many-items.md is of 100,000. */
const MANY = Number(process.env.MAP_ITEMS ?? 10_000);
const MIB = 1_024;

/** Its peak of resident memory, in MiB, after a map over so many items. */
async function peakAfter(items: number): Promise<number> {
  const database = await createTestDatabase();
  const env = { NODE_OPTIONS: "--max-old-space-size=128" };
  const worker = ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 20_000, env });
  try {
    await worker.untilReady();
    const runId = await start(poolDb(database.pool), manyItems, { items });
    const endOf = async () =>
      (await database.pool.query("select output from handrail.run where id = $1 and finished_at is not null", [runId]))
        .rows[0];
    let end = await endOf();
    while (!end && !worker.hasEnded) {
      await delay(200);
      end = await endOf();
    }
    expect(JSON.parse(end?.output)).toMatchObject({ done: items, failed: 0 });
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker.pid}/status`, "utf8"))?.[1]) / MIB;
  } finally {
    await worker.kill();
    await database.drop();
  }
}

it.skipIf(process.platform !== "linux")(
  "a worker's memory does not grow with the items of a map, within a heap of 128 MiB",
  { timeout: 900_000 },
  async () => {
    const few = await peakAfter(1_000);
    const many = await peakAfter(MANY);
    expect(many - few).toBeLessThan(100);
  },
);
