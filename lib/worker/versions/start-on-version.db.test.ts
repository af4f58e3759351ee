import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Duration } from "../../engine/duration";
import { prepareStart, type StartOptions } from "../../engine/runs/start";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { readRun } from "../../operator/runs/reads";
import { insertRunsOnce } from "../../store/runs/start-many";
import { insertRunOnce } from "../../store/runs/start-run";
import { registerWorkflows } from "../../store/workers/workers";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();

/** Its versions return their number, once they have waited for a moment. */
function aFamily(name: string, nap: Duration = 1) {
  const aVersion = (version: number) =>
    defineWorkflow({ name, version, input: z.object({}) }, async (ctx) => {
      await ctx.step("by", () => version);
      await ctx.sleep("moment", nap);
      return version;
    });
  return [aVersion(1), aVersion(2), aVersion(3)] as const;
}

/** As code of this process which has all of them. */
const startOn = async (workflows: readonly Workflow[], version: number, options: StartOptions = {}) => {
  const [{ name }] = workflows as [Workflow, ...Workflow[]];
  const run = await codeHere(workflows).prepareStart(name, { input: {}, options: { ...options, version } });
  return (await insertRunOnce(engine.db, run)).id;
};

describe("a run that was started on a version", () => {
  it("is never taken by a worker of another one, older or newer, and waits for one that has it", async () => {
    const family = aFamily("waits-for-two");
    const [first, second, third] = family;
    await engine.worker([first]);
    await engine.worker([third], { versionWaitMs: 1 });
    const runId = await startOn(family, 2);
    const free = await engine.start(second);
    // A start that chose no version goes to the newer one meanwhile.
    expect((await engine.untilEnded(free)).run.output).toBe(3);
    await delay(300);
    const { run } = await engine.historyOf(runId);
    expect(run).toMatchObject({ status: "pending", version: 2, chosen_version: 2, epoch: 0 });
    expect(await readRun(engine.db, runId)).toMatchObject({
      workerAvailable: false,
      chosenVersion: 2,
      summary: "No live worker has version 2 of this workflow. Start one to continue.",
    });
    await engine.worker([second]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 2, code_version: null });
  });

  it("each gets its own among workers of every version", async () => {
    const family = aFamily("each-its-own");
    for (const one of family) await engine.worker([one]);
    const started = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const version = (index % 3) + 1;
        return { version, runId: await startOn(family, version) };
      }),
    );
    for (const { version, runId } of started) expect((await engine.untilEnded(runId)).run.output).toBe(version);
  });

  it("is not continued by another version when its worker is lost", async () => {
    const family = aFamily("lost-on-one", "1h");
    const [first, second] = family;
    const lost = await engine.worker([first]);
    const runId = await startOn(family, 1);
    await engine.untilResting(runId);
    await lost.stop();
    await engine.rows("update handrail.run set due_at = clock_timestamp() where id = $1", [runId]);
    await engine.rows(
      "update handrail.step set next_attempt_at = clock_timestamp() where run_id = $1 and status = 'waiting'",
      [runId],
    );
    await engine.worker([second], { versionWaitMs: 1 });
    await delay(500);
    expect((await engine.historyOf(runId)).run).toMatchObject({ status: "waiting", code_version: null });
    await engine.worker([first]);
    expect((await engine.untilEnded(runId)).run.output).toBe(1);
  });
});

it("a version is kept by every way to start", async () => {
  const family = aFamily("every-way");
  const [first] = family;
  await registerWorkflows(engine.db, family);
  const prepared = (options: StartOptions) => prepareStart(first, {}, { ...options, version: 1, delayMs: 3_600_000 });
  const debounce = { key: "d", delayMs: 9_999 };
  const started = await insertRunsOnce(engine.db, [
    await prepared({}),
    await prepared({ idempotencyKey: "k" }),
    await prepareStart(first, {}, { version: 1, debounce }),
  ]);
  started.push(await insertRunOnce(engine.db, await prepared({})));
  const [bySql] = await engine.rows<{ id: string }>(
    "select handrail.start_run('every-way', '{}', run_at => now() + interval '1 h', version => 1)::text as id",
  );
  for (const id of [...started.map((one) => one.id), bySql?.id])
    expect((await engine.historyOf(id as string)).run).toMatchObject({ version: 1, chosen_version: 1 });
  await expect(engine.rows("select handrail.start_run('every-way', '{}', version => 9)")).rejects.toThrow(
    'Workflow "every-way" has no version 9; the newest is 3.',
  );
});

it("a version that there is not is refused, and names those that there are", async () => {
  const family = aFamily("no-such-version");
  const refusal = { code: "unknown_version", details: { version: 9, versions: [1, 2, 3] } };
  await expect(startOn(family, 9)).rejects.toMatchObject(refusal);
  await expect(prepareStart(family[0], {}, { version: 2 })).rejects.toMatchObject({ code: "unknown_version" });
});
