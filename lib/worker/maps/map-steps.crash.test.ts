import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Workflow } from "../../engine/workflows/workflow";
import { poolDb } from "../../store/db";
import { createTestDatabase } from "../../testing/database/database";
import { untilEnded } from "../../testing/database/history";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildWorker, type Fault } from "../../testing/processes/crash";
import { start } from "../../testing/workers/a-worker";
import { LEDGER, mapped, read } from "../../testing/workflows/maps";

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/maps.ts", import.meta.url));
const ITEMS = 23;

/** Of the parent, of a page, and of an item in the middle. */
const FAULTS: Fault[] = [
  ...(["claim:before", "claim:after"] as const).map((point) => ({ point, passage: 3 })),
  ...(["flush:before", "flush:after"] as const).flatMap((point) => [2, 7].map((passage) => ({ point, passage }))),
  ...(["step:before-body", "step:after-body"] as const).map((point) => ({ point, detail: "double:12" })),
  ...(["run:before-suspend", "run:before-end", "run:after-end"] as const).map((point) => ({ point, passage: 2 })),
  ...(["wake:before", "wake:after"] as const).map((point) => ({ point, passage: 2 })),
];

type Kills = (begin: (fault?: Fault) => ChildWorker) => Promise<void>;

async function dies(workflow: Workflow, kills: Kills, items = ITEMS) {
  const database = await createTestDatabase();
  const { pool } = database;
  try {
    await callWitness(pool);
    await pool.query(LEDGER);
    const runId = await start(poolDb(pool), workflow, { items, ledger: database.url });
    const begin = (fault?: Fault) =>
      ChildWorker.spawn(database, { workflows: WORKFLOWS, leaseMs: 1_000, ...(fault && { fault }) });
    await kills(begin);
    const last = begin();
    const { run } = await untilEnded(pool, runId);
    await last.kill();
    expect(run).toMatchObject({ status: "completed", output: { done: items, failed: 0 } });
    expect((run.output as { parts: number[] }).parts.reduce((sum, part) => sum + part, 0)).toBe(items * (items - 1));
    // Each item has one key, whoever ran its body, and one outcome.
    const { rows } = await pool.query(
      "select item, count(distinct key)::int as keys, count(*)::int as times from ledger group by item",
    );
    expect(rows).toHaveLength(items);
    expect(rows.every(({ keys }) => keys === 1)).toBe(true);
    const outcomes = await pool.query(
      `select count(*)::int as n from handrail.step join handrail.run on run.id = run_id
      where parent_run_id = $1 and name like 'double:%' and step.status = 'completed'`,
      [runId],
    );
    expect(outcomes.rows).toEqual([{ n: items }]);
    await expectInvariants(pool);
    return rows as { item: number; times: number }[];
  } finally {
    await database.drop();
  }
}

describe.concurrent("a worker that is killed over a map", () => {
  it.each(FAULTS.map((fault) => [`${fault.point} ${fault.detail ?? fault.passage}`, fault] as const))(
    "at %s: every item has one outcome, and what was recorded is not run again",
    async (_, fault) => {
      for (const workflow of [mapped, read]) {
        const rows = await dies(workflow, async (begin) => {
          expect(await begin(fault).untilEnded()).toBe("SIGKILL");
        });
        // Only bodies that were under way, three at most, may have run twice.
        expect(rows.filter(({ times }) => times > 1).length).toBeLessThanOrEqual(3);
        expect(rows.every(({ times }) => times <= 2)).toBe(true);
      }
    },
  );
});

it("workers that are killed again and again at any time end with the same outcomes", async () => {
  const kills: Kills = async (begin) => {
    for (let times = 0; times < 6; times++) {
      const worker = begin();
      await worker.untilReady();
      await delay(Math.random() * 1_500);
      await worker.kill();
    }
  };
  await dies(mapped, kills, 1_000);
});
