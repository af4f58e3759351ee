import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Context, defineWorkflow } from "../engine/workflows/workflow";
import { type RecordedStep, type RunRecording, replayRun } from "./replay-run";

const input = z.object({ n: z.number() });
const workflow = (code: (ctx: Context) => Promise<unknown>, version = 1) =>
  defineWorkflow({ name: "sum", version, input }, code);

const recorded = (steps: RecordedStep[]): RunRecording => ({
  id: "019aa5e0-0000-7000-8000-000000000001",
  workflow: "sum",
  version: 1,
  generation: 1,
  createdAt: "2026-11-21T12:00:00.000Z",
  scheduledAt: "2026-11-21T11:00:00.000Z",
  tags: { a: "1" },
  input: { n: 1 },
  steps,
});
const done = (name: string, place: number, output: unknown = place): RecordedStep => ({
  name,
  kind: "step",
  place,
  output,
});
const body = () => {
  throw new Error("a body was called");
};

describe("a recorded run, replayed", () => {
  it("reports the steps that the code omits, and what it would run instead", async () => {
    const other = workflow(async (ctx) => {
      await ctx.step("a", body);
      await ctx.step("c", body);
    });
    expect(await replayRun([other], recorded([done("a", 1), done("b", 2)]))).toEqual({
      steps: [{ name: "a", kind: "step" }],
      gone: ["b"],
      next: ["c"],
      end: { status: "open" },
    });
  });

  it("reports a step of another kind", async () => {
    const other = workflow((ctx) => ctx.sleep("a", "1d"));
    expect((await replayRun([other], recorded([done("a", 1)]))).steps).toEqual([{ name: "a", kind: "sleep" }]);
  });

  it("keeps the winner of a race", async () => {
    const race = workflow((ctx) => Promise.race([ctx.step("a", body), ctx.step("b", body)]));
    const of = async (a: number, b: number) =>
      (await replayRun([race], recorded([done("a", a, "a"), done("b", b, "b")]))).end;
    expect(await of(1, 2)).toEqual({ status: "completed", output: "a" });
    expect(await of(2, 1)).toEqual({ status: "completed", output: "b" });
  });

  it("has the run's tags, creation time and scheduled time", async () => {
    const facts = workflow(async ({ run }) => ({ ...run, input: undefined }));
    const { end } = await replayRun([facts], recorded([]));
    expect(end).toMatchObject({
      output: { tags: { a: "1" }, scheduledAt: { $type: "Date", value: "2026-11-21T11:00:00.000Z" } },
    });
  });

  it("uses the version that made the run, if there is one", async () => {
    const ends = workflow(async () => "first");
    expect((await replayRun([workflow(async () => "second", 2), ends], recorded([]))).end).toMatchObject({
      output: "first",
    });
    expect((await replayRun([workflow(async () => "second", 2)], recorded([]))).end).toMatchObject({
      output: "second",
    });
  });

  it("refuses a call of a service between steps, and an unknown workflow", async () => {
    const between = workflow(async (ctx) => {
      const { mail } = ctx.services as unknown as { mail: { send(): void } };
      mail.send();
    });
    expect((await replayRun([between], recorded([]))).end).toMatchObject({
      error: { message: expect.stringContaining("ctx.services.mail.send was called between steps") },
    });
    await expect(replayRun([], recorded([]))).rejects.toThrow('There is no workflow "sum" here.');
  });
});
