import { expect } from "vitest";
import type { Case } from "../case";

const SOON = { initialDelayMs: 1 };

export const stepCases: readonly Case[] = [
  [
    "a run goes from its start to its result",
    async (stage) => {
      await stage.work([{ step: "greet", effect: "pure", bodies: [{ input: true }], reference: "R-1" }]);
      const runId = await stage.start({ name: "Zoë" });
      expect(await stage.result(runId)).toEqual({ greet: { name: "Zoë" } });
      expect(await stage.step(runId, "greet")).toMatchObject({ effect: "pure", reference: "R-1", attempt: 1 });
      expect(await stage.driver.do({ do: "list", workflow: stage.workflow })).toEqual([runId]);
    },
  ],
  [
    "a kept step does not run again",
    async (stage) => {
      await stage.work([
        { step: "one", bodies: [{ return: 1 }] },
        { sleep: "rest", ms: 1 },
        { step: "two", bodies: [{ return: 2 }] },
      ]);
      expect(await stage.result(await stage.start())).toEqual({ one: 1, rest: null, two: 2 });
      expect(stage.driver.reports.map(({ body }) => body)).toEqual(["one", "two"]);
    },
  ],
  [
    "a failed step is tried again with the same key, when its policy says",
    async (stage) => {
      await stage.work([
        { step: "pay", retry: SOON, bodies: [{ fail: "busy" }, { fail: "busy", afterMs: 5 }, { return: "ok" }] },
      ]);
      const runId = await stage.start();
      expect(await stage.result(runId)).toEqual({ pay: "ok" });
      expect(stage.driver.calls("pay").map(({ key }) => key)).toEqual(Array(3).fill(`${runId}:pay:1`));
      const { attempts } = await stage.scene.history(runId);
      expect(attempts.map(({ error }) => error?.message)).toEqual(["busy", "busy"]);
    },
  ],
  [
    "a step whose retries are used up fails the run, unless the code catches it",
    async (stage) => {
      const retry = { maxAttempts: 2, ...SOON };
      await stage.work([
        { step: "caught", retry, caught: true, bodies: [{ fail: "no" }] },
        { step: "pay", retry, bodies: [{ fail: "never" }] },
      ]);
      const failure = await stage.failure(await stage.start());
      expect(failure).toMatchObject({ status: "failed", failedStep: "pay", error: { message: "never" } });
      expect([stage.driver.calls("caught").length, stage.driver.calls("pay").length]).toEqual([2, 2]);
    },
  ],
  [
    "a final failure is not tried again",
    async (stage) => {
      await stage.work([{ step: "pay", retry: SOON, bodies: [{ final: "no such card" }] }]);
      const failure = await stage.failure(await stage.start());
      expect(failure).toMatchObject({ failedStep: "pay", error: { message: "no such card" } });
      expect(stage.driver.calls("pay")).toHaveLength(1);
    },
  ],
  [
    "code that fails between its steps fails the run",
    async (stage) => {
      await stage.work([{ fails: "a bug" }]);
      expect(await stage.failure(await stage.start())).toMatchObject({ failedStep: null, error: { message: "a bug" } });
    },
  ],
  [
    "a name that is met twice fails the run",
    async (stage) => {
      const pay = { step: "pay", bodies: [{ return: 1 }] };
      await stage.work([pay, pay]);
      expect(await stage.failure(await stage.start())).toMatchObject({ status: "failed", failedStep: null });
      expect(stage.driver.calls("pay")).toHaveLength(1);
    },
  ],
  [
    "names of steps are any text",
    async (stage) => {
      const names = ["a/b", "..", "~.", "ü ?#%", "x:7"];
      await stage.work(names.map((step) => ({ step, bodies: [{ return: step }] })));
      expect(await stage.result(await stage.start())).toEqual(Object.fromEntries(names.map((name) => [name, name])));
    },
  ],
  [
    "an unknown outcome of a once step waits for a person, and goes on with what they found",
    async (stage) => {
      await stage.work([{ step: "mail", effect: "once", bodies: [{ lost: "the connection broke" }] }]);
      const runId = await stage.start();
      await stage.untilAttention(runId, "outcome_unknown");
      await stage.scene.act(runId, "steps/mail/resolution", { outcome: "happened", output: "found" });
      expect(await stage.result(runId)).toEqual({ mail: "found" });
      expect(stage.driver.calls("mail")).toHaveLength(1);
    },
  ],
  [
    "the same idempotency key starts one run, and another input is refused",
    async (stage) => {
      await stage.work([{ step: "one", bodies: [{ return: 1 }] }]);
      const key = { idempotencyKey: stage.workflow };
      const runId = await stage.start({ a: 1 }, key);
      expect(await stage.start({ a: 1 }, key)).toBe(runId);
      const other = { do: "start", workflow: stage.workflow, input: { a: 2 }, ...key } as const;
      expect(await stage.refusal(other)).toBe("idempotency_conflict");
    },
  ],
];
