import { expect } from "vitest";
import type { Case } from "../case";

const HOUR_MS = 3_600_000;

export const waitCases: readonly Case[] = [
  [
    "a sleep frees the worker for at least as long",
    async (stage) => {
      await stage.work([{ sleep: "rest", ms: 300 }]);
      const runId = await stage.start();
      expect(await stage.result(runId)).toEqual({ rest: null });
      const { run } = await stage.scene.history(runId);
      expect(Number(run.finished_at) - Number(run.created_at)).toBeGreaterThanOrEqual(300);
    },
  ],
  [
    "an event comes by its key before it is waited for, and by its run after; one id counts once",
    async (stage) => {
      const key = stage.workflow;
      await stage.work([
        { event: "first", name: "paid", key },
        { event: "second", name: "shipped" },
        { event: "third", name: "paid", key, timeoutMs: 1, default: "none" },
      ]);
      for (let times = 0; times < 2; times++)
        await stage.driver.do({ do: "send", event: "paid", payload: { cents: 1 }, key, eventId: key });
      const runId = await stage.start();
      await stage.until(runId, "waiting");
      await stage.driver.do({ do: "send", event: "shipped", payload: "A-1", runId });
      expect(await stage.result(runId)).toEqual({ first: { cents: 1 }, second: "A-1", third: "none" });
    },
  ],
  [
    "a wait takes only an event whose payload fits",
    async (stage) => {
      await stage.work([
        { event: "large", name: "paid", where: { cents: { gte: 100_000 }, country: ["DE", "AT"] } },
        { event: "any", name: "paid" },
      ]);
      const runId = await stage.start();
      await stage.until(runId, "waiting");
      for (const cents of [1, 100_000])
        await stage.driver.do({ do: "send", event: "paid", payload: { cents, country: "AT" }, runId });
      expect(await stage.result(runId)).toMatchObject({ large: { cents: 100_000 }, any: { cents: 1 } });
    },
  ],
  [
    "a wait that times out without a default fails its step",
    async (stage) => {
      await stage.work([{ event: "paid", name: "paid", timeoutMs: 1 }]);
      expect(await stage.failure(await stage.start())).toMatchObject({ status: "failed", failedStep: "paid" });
    },
  ],
  [
    "a person's answer is the step's output",
    async (stage) => {
      await stage.work([{ approval: "check", question: "Ship it?", choices: ["yes", "no"] }]);
      const runId = await stage.start();
      await stage.untilAttention(runId, "approval");
      await stage.scene.act(runId, "approvals/check/answer", { choice: "no", note: "Too late.", reason: undefined });
      expect(await stage.result(runId)).toMatchObject({ check: { choice: "no", note: "Too late." } });
    },
  ],
  [
    "a cancel ends a waiting run, and is refused once it has ended",
    async (stage) => {
      await stage.work([{ sleep: "rest", ms: HOUR_MS }]);
      const runId = await stage.start();
      await stage.until(runId, "waiting");
      expect(await stage.refusal({ do: "result", runId, timeoutMs: 1 })).toBe("wait_timed_out");
      await stage.driver.do({ do: "cancel", runId });
      expect(await stage.failure(runId)).toMatchObject({ status: "cancelled" });
      expect(await stage.refusal({ do: "cancel", runId })).toBe("not_allowed");
      expect(await stage.refusal({ do: "send", event: "paid", payload: 1, runId })).toBe("not_allowed");
    },
  ],
];
