import { expect, it } from "vitest";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const reason = "the gateway is back";

it.each([
  ["the same key", false, ":charge:1"],
  ["a fresh key when asked for one", true, ":charge:2"],
])("a step that runs again has %s; what came before it does not run again", async (_, freshKeys, second) => {
  const calls: string[] = [];
  const workflow = defineWorkflow({ name: `rerun-${freshKeys}`, input: z.object({}) }, async (ctx) => {
    await ctx.step("create", () => void calls.push("create"));
    await ctx.step("charge", ({ idempotencyKey }) => {
      calls.push(idempotencyKey.replace(ctx.run.id, ""));
      if (ctx.run.generation < 3) throw new NonRetryableError("refused");
    });
  });
  const { run } = await engine.runToEnd(workflow);
  await rerun(aDesk(engine.db), { runId: run.id, freshKeys, reason });
  await engine.untilRun(run.id, (now) => now.run.status === "failed" && now.run.generation === 2);
  // The next one keeps what the first one gave it.
  await rerun(aDesk(engine.db), { runId: run.id, reason });
  expect((await engine.untilEnded(run.id)).run.status).toBe("completed");
  expect(calls).toEqual(["create", ":charge:1", second, second]);
});
