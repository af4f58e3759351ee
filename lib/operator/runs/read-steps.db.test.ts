import { afterAll, beforeAll, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRun } from "../../testing/rows/a-run";
import { aLongRun } from "../../testing/rows/long-run";
import { readStep, readSteps } from "./read-steps";
import { readRun } from "./reads";

let database: TestDatabase;
let db: Db;
let runId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
  runId = await aLongRun(db, { steps: 500, generations: 5 });
});
afterAll(() => database.drop());

it("pages through every record of every step, once", async () => {
  const seen: string[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await readSteps(db, runId, { cursor, limit: 200 });
    seen.push(...page.steps.map(({ name, generation }) => `${name} ${generation}`));
    sizes.push(page.steps.length);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(sizes).toEqual([200, 200, 100]);
  expect(new Set(seen).size).toBe(500);
  expect(seen.filter((key) => key.startsWith("send-report "))).toEqual([1, 2, 3, 4, 5].map((g) => `send-report ${g}`));
});

it("draws a step with its attempts, and leaves its output where it is", async () => {
  const { steps } = await readSteps(db, runId, {});
  const retried = steps.find(({ name }) => name === "render-page-5");
  expect(retried?.attempts.map(({ number, status, error }) => [number, status, error?.name])).toEqual([
    [1, "failed", "Timeout"],
    [2, "failed", "Timeout"],
    [3, "completed", undefined],
  ]);
  expect(retried).not.toHaveProperty("output");
});

it("reads one step in full, with the record of each generation", async () => {
  const { steps } = await readStep(db, runId, "send-report");
  expect(steps.map(({ generation, supersededBy }) => [generation, supersededBy])).toEqual([
    [5, null],
    [4, 5],
    [3, 4],
    [2, 3],
    [1, 2],
  ]);
  expect((await readStep(db, runId, "send-mail-7")).steps).toMatchObject([
    { output: { sent: 7 }, reference: "mail_7", attempts: [{ number: 1, status: "completed", version: 1 }] },
  ]);
});

it("refuses an unknown run and an unknown step", async () => {
  const nowhere = "019aa5e0-0000-7000-8000-00000000dead";
  await expect(readSteps(db, nowhere, {})).rejects.toMatchObject({ code: "unknown_run" });
  await expect(readStep(db, nowhere, "a")).rejects.toMatchObject({ code: "unknown_run" });
  await expect(readStep(db, runId, "a")).rejects.toMatchObject({ code: "unknown_step" });
  const cursor = Buffer.from('["a"]').toString("base64url");
  await expect(readSteps(db, runId, { cursor })).rejects.toMatchObject({ code: "invalid_request" });
});

it("a part of a run's steps gives the same run as all of them do", async () => {
  const undone = await aRun(db).compensating();
  for (const id of [runId, undone]) {
    const { steps, stepsLeftOut, ...whole } = await readRun(db, id);
    const part = await readRun(db, id, { steps: 2 });
    expect(part).toMatchObject(whole);
    expect(part.steps).toHaveLength(2);
    expect(part.stepsLeftOut).toBe(steps.length + stepsLeftOut - 2);
  }
});
