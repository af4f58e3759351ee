import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anApi } from "../../testing/api/api";
import sampleApp from "../../testing/sample-app";
import { anEngine } from "../../testing/workers/engine";

/* A console that has version 3 of a workflow alone, beside workers that have others. */

const engine = anEngine();
const aLetter = (version: number) =>
  defineWorkflow(
    { name: "letter", version, input: z.object({ to: z.string().default(`by version ${version}`) }) },
    async () => version,
  );

let api: Awaited<ReturnType<typeof anApi>>;
beforeAll(async () => {
  process.env.DATABASE_URL = engine.database.url;
  process.env.HANDRAIL_LOG = "silent";
  api = await anApi({ ...sampleApp, workflows: [aLetter(3)], schedules: [] });
});
afterAll(async () => {
  const { shutdown } = await import("../../shutdown");
  await shutdown();
});

const startOn = (version?: number, workflow = "letter") =>
  api.ask("POST", "/v1/runs", { body: { workflow, input: {}, ...(version !== undefined && { version }) } });

it("a start on a version is prepared where that version is, and waits for a worker that has it", async () => {
  const first = await engine.worker([aLetter(1)]);
  const second = await engine.worker([aLetter(2)]);
  const one = await startOn(1);
  expect(one).toMatchObject({ status: 201, body: { version: 1, chosenVersion: 1, input: { to: "by version 1" } } });
  expect((await engine.untilEnded(one.body.id)).run.output).toBe(1);
  const three = await startOn(3);
  expect(three.body).toMatchObject({ version: 3, chosenVersion: 3, workerAvailable: false });
  expect((await startOn()).body).toMatchObject({ version: 3, chosenVersion: null });

  await second.stop();
  const gone = await startOn(2);
  expect([gone.status, gone.body.error]).toMatchObject([503, { code: "unavailable", message: /version 2 of/ }]);
  const unknown = await startOn(9);
  expect([unknown.status, unknown.body.error]).toMatchObject([
    404,
    { code: "unknown_version", details: { versions: [1, 2] } },
  ]);
  expect((await startOn(1, "nothing")).body.error.code).toBe("unknown_workflow");
  expect((await startOn(1, "handrail.operation")).body.error.code).toBe("unknown_workflow");
  await first.stop();
});
