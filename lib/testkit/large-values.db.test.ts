import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { large, MIB, memoryBlobs } from "../testing/blobs";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { TestEngine } from "./test-engine";

const workflow = defineWorkflow({ name: "kit-large", input: z.object({ text: z.string() }) }, async (ctx, { text }) => {
  const kept = await ctx.step("keep", () => text + text, { effect: "pure" });
  await ctx.sleep("pause", "10d");
  return kept;
});

let database: TestDatabase;
let engine: TestEngine;
beforeAll(async () => {
  database = await createTestDatabase();
  engine = await TestEngine.start({ databaseUrl: database.url, workflows: [workflow], blobs: memoryBlobs().blobs });
});
afterAll(async () => {
  await engine.stop();
  await database.drop();
});

it("values over 1 MiB are in the given store, and the test reads them whole", async () => {
  const id = await engine.start(workflow, { text: large("a") });
  await engine.advance("10d");
  const { status, output, steps } = await engine.run(id);
  expect([status, (output as string).length]).toEqual(["completed", 2 * MIB]);
  expect(steps[0]?.output).toHaveLength(2 * MIB);
});
