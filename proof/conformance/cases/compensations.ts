import { expect } from "vitest";
import { until } from "../../../lib/testing/until";
import type { Case } from "../case";

export const compensationCases: readonly Case[] = [
  [
    "a failed run is compensated in reverse order, each step under a key for its compensation",
    async (stage) => {
      const code = [
        { step: "book:1", bodies: [{ return: "B-1" }] },
        { step: "pay", bodies: [{ return: "P-1" }] },
        { step: "ship", bodies: [{ final: "no such street" }] },
      ];
      await stage.work(code, { onFailure: "compensate" }, ["book", "pay"]);
      const runId = await stage.start();
      expect(await stage.failure(runId)).toMatchObject({ status: "compensated", failedStep: "ship" });
      const undone = stage.driver.reports.filter(({ undo }) => undo).map(({ key }) => key);
      expect(undone).toEqual([`${runId}:pay:1:undo`, `${runId}:book:1:1:undo`]);
    },
  ],
  [
    "a compensation with instructions waits for a person",
    async (stage) => {
      const code = [
        { step: "letter", instructions: "Call them.", bodies: [{ return: 1 }] },
        { step: "ship", bodies: [{ final: "no such street" }] },
      ];
      await stage.work(code, { onFailure: "compensate" });
      const runId = await stage.start();
      await stage.untilAttention(runId, "compensation_owed");
      const resolution = { outcome: "compensated", note: "called", reason: undefined };
      await stage.scene.act(runId, "compensations/letter/resolution", resolution);
      expect(await stage.failure(runId)).toMatchObject({ status: "compensated" });
    },
  ],
  [
    "a step that a person declares to have happened is compensated as its author declared",
    async (stage) => {
      const lost = { effect: "once" as const, bodies: [{ lost: "the connection broke" }] };
      const code = [
        { step: "charge", ...lost },
        { step: "letter", instructions: "Call them.", ...lost },
        { step: "ship", bodies: [{ final: "no such street" }] },
      ];
      await stage.work(code, { onFailure: "compensate" }, ["charge"]);
      const runId = await stage.start();
      for (const step of ["charge", "letter"]) {
        await stage.untilAttention(runId, "outcome_unknown");
        await stage.scene.act(runId, `steps/${step}/resolution`, { outcome: "happened", output: "found" });
      }
      await stage.untilAttention(runId, "compensation_owed");
      expect(await stage.owed(runId, "letter")).toMatchObject({ mode: "manual", instructions: "Call them." });
      const resolution = { outcome: "compensated", note: "called", reason: undefined };
      await stage.scene.act(runId, "compensations/letter/resolution", resolution);
      expect(await stage.failure(runId)).toMatchObject({ status: "compensated" });
      const undone = stage.driver.reports.filter(({ undo }) => undo).map(({ key }) => key);
      expect(undone).toEqual([`${runId}:charge:1:undo`]);
    },
  ],
  [
    "a step whose output a person supplies after its failure is compensated, too",
    async (stage) => {
      const code = [
        { step: "charge", bodies: [{ final: "no such card" }] },
        { step: "ship", bodies: [{ final: "no such street" }] },
      ];
      await stage.work(code, {}, ["charge"]);
      const runId = await stage.start();
      expect(await stage.failure(runId)).toMatchObject({ failedStep: "charge" });
      await stage.scene.act(runId, "steps/charge/resolution", { outcome: "happened", output: "paid in cash" });
      await until("Its second failure", async () => (await stage.step(runId, "ship"))?.status === "failed");
      await stage.until(runId, "failed");
      await stage.scene.act(runId, "compensations", {});
      await stage.until(runId, "compensated");
      expect(stage.driver.reports.filter(({ undo }) => undo)).toHaveLength(1);
    },
  ],
];
