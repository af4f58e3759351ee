import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { cancel, pause, resume, wake } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();
const input = z.object({});
const desk = () => aDesk(engine.db);
const reason = "no need to wait any longer";
const refused = { code: "not_allowed" };

it("ends a sleep now, once, with an audit row", async () => {
  const workflow = defineWorkflow({ name: "wake-sleep", input }, async (ctx) => {
    await ctx.sleep("long", "24h");
    return "woken";
  });
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  await wake(desk(), { runId, step: "long", reason });
  const { run, steps } = await engine.untilEnded(runId);
  expect(run).toMatchObject({ status: "completed", output: "woken" });
  expect(steps).toMatchObject([{ name: "long", status: "completed" }]);
  expect(await engine.rows("select act, step from handrail.audit where run_id = $1", [runId])).toEqual([
    { act: "wake", step: "long" },
  ]);
});

it("of one branch leaves the other asleep", async () => {
  const workflow = defineWorkflow({ name: "wake-branch", input }, (ctx) =>
    Promise.all([ctx.sleep("a", "24h"), ctx.sleep("b", "48h")]),
  );
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  await wake(desk(), { runId, step: "a", reason });
  const { steps } = await engine.untilRun(
    runId,
    ({ run, steps }) => run.status === "waiting" && run.waiting_step === "b" && steps[0]?.status === "completed",
  );
  expect(steps).toMatchObject([
    { name: "a", status: "completed" },
    { name: "b", status: "waiting" },
  ]);
  await cancel(desk(), { runId, reason });
});

it("tries a step again now, with the attempts it has left", async () => {
  const workflow = defineWorkflow({ name: "wake-retry", input }, (ctx) =>
    ctx.step(
      "flaky",
      ({ attempt }) => {
        if (attempt === 1) throw new Error("not yet");
        return attempt;
      },
      { retry: { initialDelayMs: 3_600_000, maxDelayMs: 3_600_000 } },
    ),
  );
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  await wake(desk(), { runId, reason });
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 2 });
});

it("is refused while a worker holds the timer, while the run is paused, and for a step that does not wait", async () => {
  const begun = gate();
  const held = gate();
  const workflow = defineWorkflow({ name: "wake-refused", input }, async (ctx) => {
    await ctx.step("first", async () => {
      begun.open();
      await held.opened;
    });
    await ctx.step("second", () => undefined);
  });
  const runId = await engine.start(workflow);
  await engine.worker([workflow]);
  await begun.opened;
  await until("The start mark", async () => (await engine.historyOf(runId)).steps.length > 0);
  await expect(wake(desk(), { runId, reason })).rejects.toMatchObject(refused);
  await expect(wake(desk(), { runId, step: "nope", reason })).rejects.toMatchObject({ code: "unknown_step" });
  await pause(desk(), { runId, reason });
  held.open();
  await engine.untilRun(runId, ({ run }) => run.status === "paused");
  await expect(wake(desk(), { runId, reason })).rejects.toMatchObject(refused);
  await resume(desk(), { runId, reason });
  await engine.untilEnded(runId);
});
