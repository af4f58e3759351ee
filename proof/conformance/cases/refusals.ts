import { expect } from "vitest";
import type { Case } from "../case";

/** An output may take 1 MiB, a request with it 2 MiB. */
const TOO_LARGE = 1_500_000;
const FAR_TOO_LARGE = 3_000_000;

export const refusalCases: readonly Case[] = [
  [
    "a reference and instructions that the API refuses as too long are cut, and their step is kept",
    async (stage) => {
      const [reference, instructions] = ["ü".repeat(600), "🚲".repeat(2_500)];
      await stage.work([{ step: "pay", reference, instructions, bodies: [{ return: "paid" }] }]);
      const runId = await stage.start();
      expect(await stage.result(runId)).toEqual({ pay: "paid" });
      const step = await stage.step(runId, "pay");
      expect(step).toMatchObject({ compensation_mode: "manual", reference: `${"ü".repeat(499)}…` });
      expect(step?.instructions).toMatch(/^(🚲){1999}.…$/u);
      expect(step?.instructions).toHaveLength(4_000);
    },
  ],
  [
    "what no text of the database can hold is replaced in a reference and in instructions",
    async (stage) => {
      const odd = "NUL: \0, half a pair: \ud83d";
      await stage.work([{ step: "pay", reference: odd, instructions: odd, bodies: [{ return: 1 }] }]);
      const runId = await stage.start();
      expect(await stage.result(runId)).toEqual({ pay: 1 });
      const shown = "NUL: \ufffd, half a pair: \ufffd";
      expect(await stage.step(runId, "pay")).toMatchObject({ reference: shown, instructions: shown });
    },
  ],
  ...[TOO_LARGE, FAR_TOO_LARGE].map(
    (length): Case => [
      `an output of ${length} bytes fails its step for good; of a once step, a person is asked`,
      async (stage) => {
        await stage.work([
          { step: "report", caught: true, bodies: [{ length }] },
          { step: "mail", effect: "once", bodies: [{ length }] },
        ]);
        const runId = await stage.start();
        await stage.untilAttention(runId, "outcome_unknown");
        expect(await stage.step(runId, "report")).toMatchObject({
          status: "failed",
          attempt: 1,
          error: { message: expect.stringContaining("bytes") },
        });
        await stage.scene.act(runId, "steps/mail/resolution", { outcome: "happened", output: null });
        expect(await stage.result(runId)).toMatchObject({ mail: null });
        expect([stage.driver.calls("report").length, stage.driver.calls("mail").length]).toEqual([1, 1]);
      },
    ],
  ),
  [
    "an outcome that the API refuses ends its step; of a once step, a person is asked",
    async (stage) => {
      const refused = ["/pay/outcome", "/mail/outcome", "/call/outcome"].map((path) =>
        stage.server.refuseNext(path, 422, {}),
      );
      await stage.work([
        { step: "pay", caught: true, bodies: [{ return: "paid" }] },
        { step: "mail", effect: "once", bodies: [{ return: "sent" }] },
        { step: "call", effect: "once", bodies: [{ lost: "the connection broke" }] },
      ]);
      const runId = await stage.start();
      for (const step of ["mail", "call"]) {
        await stage.untilAttention(runId, "outcome_unknown");
        await stage.scene.act(runId, `steps/${step}/resolution`, { outcome: "happened", output: "found" });
      }
      const { pay, ...others } = (await stage.result(runId)) as Record<string, string>;
      expect(pay).toBe('The outcome of step "pay" was refused: A test.');
      expect(others).toEqual({ mail: "found", call: "found" });
      expect(await stage.step(runId, "pay")).toMatchObject({ status: "failed", error: { code: "too_busy" } });
      await Promise.all(refused);
    },
  ],
  [
    "a question that the API refuses fails the run, and the code cannot catch it",
    async (stage) => {
      await stage.work([
        { step: "first", bodies: [{ return: 1 }] },
        { step: "x".repeat(300), caught: true, bodies: [{ return: 2 }] },
        { step: "never", bodies: [{ return: 3 }] },
      ]);
      const { status, error } = await stage.failure(await stage.start());
      expect({ status, error }).toMatchObject({ status: "failed", error: { name: "ApiError" } });
      expect(stage.driver.reports.map(({ body }) => body)).toEqual(["first"]);
    },
  ],
  [
    "an output of the run that the API refuses as too large fails the run",
    async (stage) => {
      const length = 600_000;
      await stage.work([
        { step: "one", bodies: [{ length }] },
        { step: "two", bodies: [{ length }] },
      ]);
      const { status, error } = await stage.failure(await stage.start());
      expect(status).toBe("failed");
      expect(error?.message).toContain("bytes");
    },
  ],
  [
    "an end that the API refuses fails the run",
    async (stage) => {
      const refused = stage.server.refuseNext("/end", 422, {});
      await stage.work([{ step: "pay", bodies: [{ return: 1 }] }]);
      const { status, error } = await stage.failure(await stage.start());
      expect({ status, error }).toMatchObject({
        status: "failed",
        error: { message: "The outcome of the run was refused: A test." },
      });
      await refused;
    },
  ],
  [
    "an outcome of a compensation that the API refuses leaves the compensation to a person",
    async (stage) => {
      const refused = stage.server.refuseNext("/undos/pay/outcome", 422, {});
      const code = [
        { step: "pay", bodies: [{ return: 1 }] },
        { step: "ship", bodies: [{ final: "no such street" }] },
      ];
      await stage.work(code, { onFailure: "compensate" }, ["pay"]);
      const runId = await stage.start();
      await stage.untilAttention(runId, "compensation_owed");
      const message = 'The outcome of the compensation of step "pay" was refused: A test.';
      expect(await stage.owed(runId, "pay")).toMatchObject({ status: "failed", error: { message } });
      expect(stage.driver.reports.filter(({ undo }) => undo)).toHaveLength(1);
      await refused;
    },
  ],
  [
    "a request that is refused for another reason hands the run back, and it goes on",
    async (stage) => {
      const refused = stage.server.refuseNext("/end", 404, {});
      await stage.work([{ step: "pay", bodies: [{ return: 1 }] }]);
      const runId = await stage.start();
      expect(await stage.result(runId)).toEqual({ pay: 1 });
      expect(stage.driver.calls("pay")).toHaveLength(1);
      await refused;
    },
  ],
];
