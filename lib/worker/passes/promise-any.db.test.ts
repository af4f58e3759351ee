import { expect, it } from "vitest";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();

it("a run whose Promise.any failed names its first step, keeps that one's error, and is repaired by a rerun", async () => {
  let down = true;
  const refuse = (port: number) => {
    if (down) throw new NonRetryableError(`refused by ${port}`);
    return port;
  };
  const workflow = defineWorkflow({ name: "any-of-two", input: z.object({}) }, (ctx) =>
    Promise.any([ctx.step("first", () => refuse(1)), ctx.step("second", () => refuse(2))]),
  );
  const { run } = await engine.runToEnd(workflow);
  expect(run).toMatchObject({
    status: "failed",
    failed_step: "first",
    error: { cause: { message: "refused by 1" } },
  });
  down = false;
  await rerun(aDesk(engine.db), { runId: run.id, reason: "the provider is back" });
  expect((await engine.untilEnded(run.id)).run).toMatchObject({ status: "completed", output: 1 });
});
