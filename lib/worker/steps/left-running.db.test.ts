import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { record } from "../../store/steps/record";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { aRecord, aStepRecord, claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();

/**
 * Its worker was lost when one branch had failed and another one's body ran: the next pass fails before it reaches the
 * body.
 */
it.each([
  ["idempotent", "unknown", "outcome_unknown"],
  ["once", "unknown", "outcome_unknown"],
  ["pure", "waiting", "failed"],
] as const)(
  "a body that is %s and was cut off beside a failed step is %s when the run fails",
  async (effect, status, attention) => {
    const begun: string[] = [];
    const workflow = defineWorkflow({ name: `left-${effect}`, input: z.object({}) }, (ctx) =>
      Promise.all([
        ctx.step("fails", () => void begun.push("fails")),
        ctx.step("left", () => void begun.push("left"), { effect }),
      ]),
    );
    const runId = await engine.start(workflow);
    const claim = await claimOne(engine.db, workflow);
    const steps = [
      aStepRecord({ name: "fails", status: "failed" }),
      aStepRecord({ name: "left", effect, status: "running", position: 2 }),
    ];
    for (const step of steps) await record(engine.db, [aRecord(claim, { step })]);
    await engine.endLeases();
    await takeOverLostRuns(engine.db);
    await engine.worker([workflow]);
    const ended = await engine.untilEnded(runId);
    expect(ended.run).toMatchObject({ status: "failed", failed_step: "fails", attention });
    expect(ended.steps).toMatchObject([{ name: "fails" }, { name: "left", status }]);
    expect(begun).toEqual([]);
  },
);
