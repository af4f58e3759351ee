import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appServices } from "../../../demo/services/app-services";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { registerWorker, registerWorkflows } from "../../store/workers/workers";
import { cancel, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../../worker/fault-points";
import { checkVersions } from "../../worker/versions/check-versions";
import { readRun } from "../runs/reads";
import { readWorkflows } from "../workflows/workflow-view";

const engine = anEngine();
const input = z.object({});
const desk = () => aDesk(engine.db);
const reason = "version 2 is fixed";

/** Version 1 fails at "mail"; later versions do not. Each body reports which code ran it. */
function aFamily(name: string) {
  const ran: string[] = [];
  const version = (version: number, fails = false) =>
    defineWorkflow({ name, input, version, drift: "go_on" }, async (ctx) => {
      await ctx.step("render", () => void ran.push(`render by ${version}`));
      await ctx.step(
        "mail",
        () => {
          ran.push(`mail by ${version}`);
          if (fails) throw new Error("no address");
        },
        { retry: { maxAttempts: 1 } },
      );
      return version;
    });
  const [one, two, three] = [version(1, true), version(2), version(3)];
  const failed = async () => {
    const runId = await engine.start(one);
    const worker = await engine.worker([one]);
    await engine.untilEnded(runId);
    await worker.stop();
    return runId;
  };
  return { name, ran, one, two, three, failed };
}

describe("a rerun on a chosen version", () => {
  it("goes on with that version although a newer one is there, and says which code made which attempt", async () => {
    const family = aFamily("chosen");
    const runId = await family.failed();
    await engine.worker([family.one, family.two, family.three]);
    const answer = await rerun(desk(), { runId, version: 2, reason });
    expect(answer).toMatchObject({ version: 1, chosenVersion: 2, generation: 2, workerAvailable: true });
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 2 });
    expect(family.ran).toEqual(["render by 1", "mail by 1", "mail by 2"]);
    const run = await readRun(engine.db, runId);
    expect(run).toMatchObject({
      version: 1,
      codeVersion: 2,
      audit: [{ act: "rerun", reason, after: { version: 2, freshKeys: false } }],
    });
    expect(run.versionChanges).toEqual([{ version: 2, generation: 2, at: expect.any(String) }]);
    expect(run.steps.map(({ name, attempts }) => [name, attempts.map(({ version }) => version)])).toEqual([
      ["render", [1]],
      ["mail", [1]],
      ["mail", [2]],
    ]);
  });

  it("stays with it in later reruns, until another one is chosen", async () => {
    const family = aFamily("stays");
    const runId = await family.failed();
    await engine.worker([family.one, family.two, family.three]);
    await rerun(desk(), { runId, version: 2, reason });
    await engine.untilEnded(runId);
    await rerun(desk(), { runId, fromStep: "render", reason: "once more" });
    expect(
      (await engine.untilRun(runId, ({ run }) => run.generation === 3 && run.status === "completed")).run.output,
    ).toBe(2);
    await rerun(desk(), { runId, fromStep: "mail", version: 3, reason: "the newest" });
    expect(
      (await engine.untilRun(runId, ({ run }) => run.generation === 4 && run.status === "completed")).run.output,
    ).toBe(3);
    const { versionChanges } = await readRun(engine.db, runId);
    expect(versionChanges.map(({ version, generation }) => [version, generation])).toEqual([
      [2, 2],
      [3, 4],
    ]);
  });

  it("is refused before anything is written when no live worker has it", async () => {
    const family = aFamily("wrong");
    const runId = await family.failed();
    const before = await engine.historyOf(runId);
    await expect(rerun(desk(), { runId, version: 2, reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: 'No live worker has that version of "wrong". No live worker has this workflow.',
    });
    await engine.worker([family.one, family.three]);
    await expect(rerun(desk(), { runId, version: 2, reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: 'No live worker has that version of "wrong". Live workers have versions 1, 3.',
      details: { live: [1, 3] },
    });
    expect(await engine.historyOf(runId)).toEqual(before);
    expect(await engine.rows("select result from handrail.audit where run_id = $1", [runId])).toEqual([
      { result: "denied" },
      { result: "denied" },
    ]);
  });

  /** A worker that has the version is alive when it is chosen, and gone when the run could be claimed. */
  async function chosenAndGone(family: ReturnType<typeof aFamily>) {
    const runId = await family.failed();
    const { name } = family;
    await registerWorker(engine.db, {
      name: "gone",
      workflows: [name],
      versions: { [name]: [2] },
      concurrency: 1,
      leaseMs: 60_000,
    });
    await rerun(desk(), { runId, version: 2, reason });
    await engine.endLeases();
    return runId;
  }

  it("is not claimed by workers that do not have it", async () => {
    const family = aFamily("left");
    const runId = await chosenAndGone(family);
    const before = await engine.historyOf(runId);
    for (const versions of [[family.three], [family.one, family.three]]) {
      const other = defineWorkflow({ name: `left-${versions.length}`, input }, async () => undefined);
      await engine.worker([...versions, other]);
      await engine.untilEnded(await engine.start(other));
    }
    const { run, attempts } = await engine.historyOf(runId);
    expect(run).toMatchObject({ status: "pending", lost_claims: 0, epoch: before.run.epoch });
    expect(attempts).toEqual([]);
    expect(await readRun(engine.db, runId)).toMatchObject({
      workerAvailable: false,
      summary: expect.stringContaining("No live worker has version 2 of this workflow"),
    });
    await engine.worker([family.two, family.three]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 2 });
    expect(family.ran).toEqual(["render by 1", "mail by 1", "mail by 2"]);
  });

  it("can be cancelled while nobody has it", async () => {
    const family = aFamily("nobody-has");
    const runId = await chosenAndGone(family);
    await engine.worker([family.three]);
    await cancel(desk(), { runId, reason: "not wanted any more" });
    expect((await engine.untilEnded(runId)).run.status).toBe("cancelled");
  });

  it("ends when its worker dies while it is being cancelled, also when no worker has its version", async () => {
    const family = aFamily("cancelled-and-gone");
    const runId = await family.failed();
    const [dying, buried] = [gate(), gate()];
    setFaultHandler((at) => {
      if (at !== "version:after-change") return;
      dying.open();
      return buried.opened;
    });
    const worker = await engine.worker([family.two]);
    await rerun(desk(), { runId, version: 2, reason });
    await dying.opened;
    await cancel(desk(), { runId, reason: "not wanted any more" });
    worker.worker.lose();
    setFaultHandler(undefined);
    buried.open();
    await engine.endLeases();
    await engine.worker([family.three]);
    expect((await engine.untilEnded(runId)).run.status).toBe("cancelled");
  });

  it("is reported by check-versions when the code at hand does not have it", async () => {
    const family = aFamily("check-chosen");
    const runId = await chosenAndGone(family);
    const check = async (workflows: readonly Workflow[]) =>
      (await checkVersions(engine.db, workflows, appServices)).misfits.filter((misfit) => misfit.runId === runId);
    expect(await check([family.two])).toEqual([]);
    expect(await check([family.one, family.three])).toMatchObject([{ kind: "no code", chosen: 2, begunWith: 1 }]);
  });
});

it("a version that takes a run up without being chosen is on record, too", async () => {
  const family = aFamily("unchosen");
  const runId = await family.failed();
  await engine.worker([family.three]);
  await rerun(desk(), { runId, reason });
  await engine.untilEnded(runId);
  expect(await readRun(engine.db, runId)).toMatchObject({
    chosenVersion: null,
    codeVersion: 3,
    versionChanges: [{ version: 3, generation: 2 }],
  });
});

it("the death of a worker around the record of its version leaves one record, and nothing is run before it", async () => {
  for (const point of ["version:before-change", "version:after-change"] as const) {
    const family = aFamily(`dies-${point.replace(":", "-")}`);
    const runId = await family.failed();
    const [dying, buried] = [gate(), gate()];
    setFaultHandler((at) => {
      if (at !== point) return;
      dying.open();
      return buried.opened;
    });
    const worker = await engine.worker([family.two]);
    await rerun(desk(), { runId, version: 2, reason });
    await dying.opened;
    worker.worker.lose();
    setFaultHandler(undefined);
    buried.open();
    await engine.endLeases();
    await engine.worker([family.two]);
    await engine.untilEnded(runId);
    const { versionChanges } = await readRun(engine.db, runId);
    expect(versionChanges.map(({ version }) => version)).toEqual([2]);
    expect(family.ran).toEqual(["render by 1", "mail by 1", "mail by 2"]);
  }
});

it("workflows say how many live workers have each version", async () => {
  const family = aFamily("counted");
  await registerWorkflows(engine.db, [family.one]);
  await engine.worker([family.two, family.three]);
  const { workflows } = await readWorkflows(engine.db);
  const versions = workflows.filter(({ name }) => name === family.name);
  expect(versions.map(({ version, versionWorkers }) => [version, versionWorkers])).toEqual([
    [3, 1],
    [2, 1],
    [1, 0],
  ]);
});
