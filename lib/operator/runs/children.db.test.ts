import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";
import { readChildren } from "./read-children";
import { readRun } from "./reads";

const engine = anEngine();
const input = z.object({});

describe("a run's children, as the screens read them", () => {
  it("are counted by status and paged, newest first, and each names its parent and its step", async () => {
    const child = defineWorkflow({ name: "listed-child", input: z.object({ n: z.number() }) }, (ctx, { n }) =>
      ctx.step(
        "check",
        () => {
          if (n === 2) throw new Error("two is wrong");
          return n;
        },
        { retry: { maxAttempts: 1 } },
      ),
    );
    const parent = defineWorkflow({ name: "listed-parent", input }, async (ctx) => {
      for (const n of [1, 2, 3]) await ctx.startChild(`n-${n}`, child, { n });
    });
    const runId = await engine.start(parent);
    await engine.worker([parent, child]);
    await engine.untilEnded(runId);
    const first = await readChildren(engine.db, runId, { limit: 2 });
    for (const { id } of first.runs) await engine.untilEnded(id);
    expect(first.runs.map(({ parentRunId, parentStep }) => ({ parentRunId, parentStep }))).toEqual([
      { parentRunId: runId, parentStep: "n-3" },
      { parentRunId: runId, parentStep: "n-2" },
    ]);
    const second = await readChildren(engine.db, runId, { limit: 2, cursor: first.nextCursor as string });
    expect(second).toMatchObject({ runs: [{ parentStep: "n-1" }], nextCursor: null });
    for (const { id } of second.runs) await engine.untilEnded(id);
    const failed = await readChildren(engine.db, runId, { status: ["failed"] });
    expect(failed.runs).toMatchObject([{ parentStep: "n-2" }]);
    expect((await readRun(engine.db, runId)).children).toMatchObject({
      byStatus: { completed: 2, failed: 1 },
      total: 3,
      capped: false,
    });
  });

  it("lead to the failed one at the end of the chain", async () => {
    const leaf = defineWorkflow({ name: "cause-leaf", input }, (ctx) =>
      ctx.step(
        "charge",
        () => {
          throw new Error("declined");
        },
        { retry: { maxAttempts: 1 } },
      ),
    );
    const branch = defineWorkflow({ name: "cause-branch", input }, (ctx) => ctx.child("leaf", leaf, {}));
    const root = defineWorkflow({ name: "cause-root", input }, (ctx) => ctx.child("branch", branch, {}));
    const patient = defineWorkflow({ name: "cause-patient", input }, (ctx) =>
      ctx.child("leaf", leaf, {}, { onFailure: "wait" }),
    );
    const [runId, waiting] = await Promise.all([engine.start(root), engine.start(patient)]);
    await engine.worker([leaf, branch, root, patient]);
    await engine.untilEnded(runId);
    expect((await readRun(engine.db, runId)).rootCause).toMatchObject({
      workflow: "cause-leaf",
      failedStep: "charge",
      error: { message: "declined" },
    });
    await engine.untilRun(
      waiting,
      ({ run }) => run.status === "waiting" && run.due_at === null && run.worker_id === null,
    );
    const [leafOfPatient] = (await readChildren(engine.db, waiting, {})).runs;
    const { run } = await engine.untilEnded(leafOfPatient?.id as string);
    expect((await readRun(engine.db, waiting)).rootCause).toMatchObject({ runId: run.id, failedStep: "charge" });
    expect((await readRun(engine.db, run.id)).rootCause).toBeNull();
  });
});
