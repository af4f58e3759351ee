import { expect } from "vitest";
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
];
