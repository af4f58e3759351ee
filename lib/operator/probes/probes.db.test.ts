import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { AUDIT_RULES } from "../../store/audit/audit-rules";
import { examine } from "../../store/database/doctor";
import { cancel, pause, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { gate, until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { foldAll } from "../../worker/duties/problem-loop";
import { executePlan } from "../operations/execute-plan";
import { makePlan } from "../operations/make-plan";
import { operationWorkflow } from "../operations/operation-workflow";
import { readProblem } from "../problem-view";
import { resolveAProblem } from "../problems";
import { probeWorkflow } from "./probe-workflow";
import { readProbeCandidate, startProbe, stopProbe } from "./start-probe";
import { readTried } from "./tried-view";

/* Real runs that fail for real, until the gateway is back; only the pauses between reruns are short. */

const engine = anEngine();
const reason = "is the gateway back?";
const gateway = { answer: async (): Promise<void> => undefined, asked: 0 };
const DOWN = async () => {
  throw new NonRetryableError("connect ECONNREFUSED 127.0.0.1:3001");
};
beforeEach(() => {
  Object.assign(gateway, { answer: DOWN, asked: 0 });
});

let workflows = 0;
/** A problem that so many failed runs have, of a workflow that no other test has. */
async function aProblem(runs: number, given: { effect?: "once"; fourEyes?: boolean } = {}) {
  const workflow = defineWorkflow(
    {
      name: `probed-${++workflows}`,
      input: z.object({ n: z.int() }),
      ...(given.fourEyes && { fourEyes: ["rerun"] as const }),
    },
    async (ctx) => {
      await ctx.step(
        "charge",
        () => {
          gateway.asked++;
          return gateway.answer();
        },
        { effect: given.effect ?? "idempotent" },
      );
    },
  );
  const runIds: string[] = [];
  for (let n = 0; n < runs; n++) runIds.push(await engine.start(workflow, { n }));
  const desk = { ...aDesk(engine.db), code: codeHere([workflow]) };
  const probing = (pauseMs = 20) => engine.worker([workflow, probeWorkflow({ ...desk, pauseAfter: () => pauseMs })]);
  const first = await engine.worker([workflow]);
  for (const runId of runIds) await engine.untilEnded(runId);
  await first.stop(100);
  await foldAll(engine.db, () => false);
  const [row] = await engine.rows<{ id: string }>("select id from handrail.problem where workflow = $1", [
    workflow.name,
  ]);
  const problemId = row?.id ?? "";
  gateway.asked = 0;
  const read = () => readProblem(engine.db, problemId);
  const untilProbe = (status: string) =>
    until(`a probe that is ${status}`, async () => {
      const { probe } = await read();
      return probe?.status === status && probe;
    });
  return { workflow, runIds, desk, problemId, probing, read, untilProbe };
}

const outcomes = ({ tries }: { tries: { outcome: string | null }[] }) => tries.map(({ outcome }) => outcome);

async function expectAudited(): Promise<void> {
  const rule = AUDIT_RULES.filter(({ name }) => name === "Every repair generation was opened by an audited action");
  expect(await examine(engine.db, rule)).toMatchObject([{ hits: [] }]);
}

describe("a probe", () => {
  it("reruns one run after another while they fail again, and ends with the first that gets through", async () => {
    const { desk, problemId, probing, untilProbe, runIds, read } = await aProblem(3);
    gateway.answer = () => (gateway.asked < 3 ? DOWN() : Promise.resolve());
    const begun = await startProbe(desk, { problemId, reason });
    expect(begun.probe).toMatchObject({ status: "running", startedBy: "operator", mostTries: 8, because: null });
    await probing();
    const probe = await untilProbe("through");
    expect(outcomes(probe)).toEqual(["failed", "failed", "through"]);
    // Another run each time: one broken run would say nothing about the rest.
    expect(probe.tries.map(({ runId }) => runId).sort()).toEqual([...runIds].sort());
    expect(probe).toMatchObject({ because: null, nextAt: null, endedAt: expect.any(String) });
    expect(gateway.asked).toBe(3);
    expect((await read()).history[0]).toMatchObject({ what: "probe_through", by: null });
    await until("the last run's leave", async () => (await read()).openRuns === 2);
    const reasons = await engine.rows(
      "select reason from handrail.audit where act = 'rerun' and run_id = any ($1) order by id",
      [runIds],
    );
    expect(reasons.map((row) => row.reason)).toEqual([1, 2, 3].map((number) => `Probe ${number}: ${reason}`));
    await expectAudited();
  });

  it("makes the pauses grow, and shows when the next rerun is due", async () => {
    const { desk, problemId, read, workflow } = await aProblem(1);
    await startProbe(desk, { problemId, reason });
    await engine.worker([workflow, probeWorkflow(desk)]);
    const probe = await until("the pause", async () => {
      const now = await read();
      return now.probe?.nextAt ? now.probe : null;
    });
    expect(outcomes(probe)).toEqual(["failed"]);
    const pauseMs = Date.parse(probe.nextAt as string) - Date.parse(probe.tries[0]?.endedAt as string);
    expect(pauseMs).toBeGreaterThan(59_000);
    expect(pauseMs).toBeLessThan(61_000);
    const { pausesMs } = await readProbeCandidate(engine.db, problemId);
    expect(pausesMs.map((ms) => ms / 60_000)).toEqual([1, 2, 4, 8, 16, 16, 16]);
  });

  it("gives up after the last rerun, with one run, too", async () => {
    const { desk, problemId, probing, untilProbe, runIds } = await aProblem(1);
    await startProbe(desk, { problemId, reason, tries: 3 });
    await probing();
    const probe = await untilProbe("failed");
    expect(outcomes(probe)).toEqual(["failed", "failed", "failed"]);
    expect(probe.because).toBe("All 3 reruns failed again.");
    expect((await engine.historyOf(runIds[0] as string)).run.generation).toBe(4);
    expect(gateway.asked).toBe(3);
  });

  it("never goes on after an unknown outcome, and does not take that run again", async () => {
    const { desk, problemId, probing, untilProbe, read } = await aProblem(1, { effect: "once" });
    const held = gate();
    gateway.answer = () => held.opened;
    await startProbe(desk, { problemId, reason });
    const worker = await probing();
    await until("the body", () => gateway.asked === 1);
    // Its worker is lost in the middle of a body that nothing protects.
    await engine.endLeases();
    await worker.stop(0);
    held.open();
    await probing();
    const probe = await untilProbe("stopped");
    expect(outcomes(probe)).toEqual(["unknown"]);
    expect(probe.because).toContain("unknown outcome");
    // By the worker's fold or by this one: one that meets the other leaves it to it.
    await until("the run's leave", async () => {
      await foldAll(engine.db, () => false);
      return (await read()).openRuns === 0;
    });
    expect(await readProbeCandidate(engine.db, problemId)).toMatchObject({ candidate: null });
    expect((await read()).acts.find(({ act }) => act === "probe")).toMatchObject({ open: false });
    expect(gateway.asked).toBe(1);
  });

  it("stops when its run fails with another problem, which a rerun of the rest would meet as well", async () => {
    const { desk, problemId, probing, untilProbe } = await aProblem(2);
    gateway.answer = async () => {
      throw new NonRetryableError("No such customer");
    };
    await startProbe(desk, { problemId, reason });
    await probing();
    const probe = await untilProbe("stopped");
    expect(outcomes(probe)).toEqual(["otherwise"]);
    expect(gateway.asked).toBe(1);
  });

  it.each([
    ["cancelled", "interrupted", cancel],
    ["paused", "interrupted", pause],
  ] as const)("stops when a person has its run %s", async (_, outcome, act) => {
    const { desk, problemId, untilProbe, probing } = await aProblem(2);
    const begun = await startProbe(desk, { problemId, reason });
    await act(desk, { runId: begun.probe?.tries[0]?.runId as string, reason: "mine" });
    await probing();
    expect(outcomes(await untilProbe("stopped"))).toEqual([outcome]);
    expect(gateway.asked).toBe(0);
  });

  it("stops when a person resolves the problem during a pause", async () => {
    const { desk, problemId, read, probing, untilProbe } = await aProblem(1);
    await startProbe(desk, { problemId, reason });
    await probing(500);
    await until("the pause", async () => (await read()).probe?.nextAt);
    await resolveAProblem(desk, { problemId, reason: "fixed" });
    expect((await untilProbe("stopped")).because).toBe("The problem was resolved.");
    expect(gateway.asked).toBe(1);
  });
});

describe("an operator", () => {
  it("stops it at any time: the run that sleeps for it ends at once, and nothing is rerun after the answer", async () => {
    const { desk, problemId, read, probing } = await aProblem(2);
    await startProbe(desk, { problemId, reason });
    await probing(3_600_000);
    await until("the pause", async () => (await read()).probe?.nextAt);
    const { probe, history } = await stopProbe(desk, { problemId, reason: "enough" });
    expect(history[0]).toMatchObject({ what: "probe_ended", text: "Stopped by operator: enough" });
    expect(probe).toMatchObject({ status: "stopped", because: "Stopped by operator: enough", nextAt: null });
    const [driver] = await engine.rows<{ id: string }>(
      "select run_id as id from handrail.probe where problem_id = $1",
      [problemId],
    );
    await engine.untilEnded(driver?.id as string);
    expect(gateway.asked).toBe(1);
    await expect(stopProbe(desk, { problemId, reason })).rejects.toMatchObject({ code: "not_allowed" });
    // And may begin another.
    expect((await startProbe(desk, { problemId, reason })).probe?.status).toBe("running");
    await stopProbe(desk, { problemId, reason });
  });

  it("who presses twice, or at the same time as another, begins one probe with one rerun", async () => {
    const { desk, problemId, runIds } = await aProblem(3);
    const presses = await Promise.allSettled([1, 2, 3, 4].map(() => startProbe(desk, { problemId, reason })));
    expect(presses.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const press of presses)
      if (press.status === "rejected") expect(press.reason).toMatchObject({ code: "not_allowed" });
    const reruns = await engine.rows("select from handrail.run where id = any ($1) and generation > 1", [runIds]);
    expect(reruns).toHaveLength(1);
    const probes = await engine.rows("select from handrail.probe where problem_id = $1", [problemId]);
    expect(probes).toHaveLength(1);
    await expectAudited();
  });

  it("gets the same answer to a request that is sent again", async () => {
    const { desk, problemId, runIds } = await aProblem(2);
    const again = { ...aDesk(engine.db, { requestKey: `probe-${problemId}` }), code: desk.code };
    const first = await startProbe(again, { problemId, reason });
    expect((await startProbe(again, { problemId, reason })).probe?.id).toBe(first.probe?.id);
    const reruns = await engine.rows("select from handrail.run where id = any ($1) and generation > 1", [runIds]);
    expect(reruns).toHaveLength(1);
  });

  it("sees the run that will be rerun, gets exactly that one, and a refusal once it has changed", async () => {
    const { desk, problemId, runIds } = await aProblem(2);
    const { candidate } = await readProbeCandidate(engine.db, problemId);
    expect(candidate).toMatchObject({ included: true, again: { first: ["charge"] } });
    const other = runIds.find((runId) => runId !== candidate?.runId) as string;
    expect((await startProbe(desk, { problemId, reason, runId: other })).probe?.tries).toMatchObject([
      { runId: other },
    ]);
    await stopProbe(desk, { problemId, reason });
    const gone = startProbe(desk, { problemId, reason, runId: other });
    await expect(gone).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("does not have this problem"),
    });
  });

  it("who cancels the probe's own run has ended it; the problem says so and may be probed again", async () => {
    const { desk, problemId, read, workflow } = await aProblem(2);
    await startProbe(desk, { problemId, reason });
    const [driver] = await engine.rows<{ id: string }>(
      "select run_id as id from handrail.probe where problem_id = $1",
      [problemId],
    );
    await cancel(desk, { runId: driver?.id as string, reason: "not now" });
    expect((await read()).probe).toMatchObject({ status: "stopped", because: expect.stringContaining("ended early") });
    await engine.worker([workflow]);
    await until("the rerun's failure", async () => (await read()).openRuns === 2);
    expect((await startProbe(desk, { problemId, reason })).probe?.status).toBe("running");
    const statuses = await engine.rows("select status from handrail.probe where problem_id = $1 order by id", [
      problemId,
    ]);
    expect(statuses).toEqual([{ status: "stopped" }, { status: "running" }]);
    await stopProbe(desk, { problemId, reason });
  });

  it("cannot probe runs whose rerun takes a second person", async () => {
    const { desk, problemId, runIds } = await aProblem(1, { fourEyes: true });
    await expect(startProbe(desk, { problemId, reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("second person"),
    });
    expect((await engine.historyOf(runIds[0] as string)).run.generation).toBe(1);
    const refused = await engine.rows(
      "select act, result from handrail.audit where act = 'problem_probe' and result <> 'done' order by id desc limit 1",
    );
    expect(refused).toEqual([{ act: "problem_probe", result: "denied" }]);
  });
});

describe("what was tried", () => {
  it("lists single actions, bulk actions as one, and probes, newest first, each with what it led to", async () => {
    const { desk, problemId, probing, untilProbe, runIds, workflow, read } = await aProblem(4);
    expect((await readTried(engine.db, problemId)).tried).toEqual([]);
    const [one, ...others] = runIds as [string, ...string[]];
    await rerun(desk, { runId: one, reason: "just this one" });
    const worker = await engine.worker([workflow, operationWorkflow(desk)]);
    await until("the rerun's failure", async () => (await read()).returned === 1);

    gateway.answer = async () => undefined;
    const { id: planId, hash } = await makePlan(desk, { act: "rerun", params: {} }, { runIds: others });
    const pace = { ratePerSecond: 1_000, canary: 0 };
    const { body } = await executePlan(desk, desk.code, { planId, hash, reason: "it is back", ...pace });
    await until("the others' leave", async () => (await read()).openRuns === 1);
    await worker.stop(100);

    await startProbe(desk, { problemId, reason });
    await probing();
    await untilProbe("through");
    await until("the last run's leave", async () => (await read()).openRuns === 0);
    const { tried } = await readTried(engine.db, problemId);
    expect(tried).toMatchObject([
      { act: "probe", by: "operator", reason, runs: 1, probe: { status: "through", tries: 1 } },
      { act: "rerun", reason: "it is back", runs: 3, left: 3, again: 0, runId: null, operationId: body.id },
      { act: "rerun", reason: "just this one", runs: 1, runId: one, operationId: null },
    ]);
  });

  it("says that a run failed again", async () => {
    const { desk, problemId, runIds, workflow, read } = await aProblem(1);
    await rerun(desk, { runId: runIds[0] as string, reason: "once more" });
    const before = (await readTried(engine.db, problemId)).tried;
    await engine.worker([workflow]);
    await until("the rerun's failure", async () => (await read()).returned === 1);
    expect(before[0]).toMatchObject({ again: 0 });
    expect((await readTried(engine.db, problemId)).tried).toMatchObject([{ runs: 1, left: 0, again: 1 }]);
  });
});
