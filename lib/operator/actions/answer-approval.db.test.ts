import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { answerApproval, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";
import { readApprovals, readOverview, readRun } from "../runs/reads";

const engine = anEngine();
const input = z.object({ timeoutMs: z.number().optional() });

const asking = (name: string) =>
  defineWorkflow({ name, input }, (ctx, { timeoutMs }) =>
    ctx.approval("ship-it", {
      question: "Ship it?",
      choices: ["yes", "no", "later"],
      data: { weight: 12n },
      ...(timeoutMs !== undefined && { timeout: timeoutMs, default: "later" }),
    }),
  );

it("a question is in the list, on the run and in the overview until it is answered", async () => {
  const workflow = asking("listed");
  const { run } = await engine.runToRest(workflow, {});
  const { approvals } = await readApprovals(engine.db, {});
  expect(approvals).toMatchObject([
    { runId: run.id, step: "ship-it", question: "Ship it?", choices: ["yes", "no", "later"] },
  ]);
  const view = await readRun(engine.db, run.id);
  expect(view).toMatchObject({ primaryAct: "answer", attention: "approval", waitingFor: { kind: "approval" } });
  expect(view.steps[0]?.wait).toMatchObject({ question: "Ship it?", event: null });
  expect((await readOverview(engine.db, { cap: 10, demo: false })).needsPerson.map(({ id }) => id)).toContain(run.id);
  await answerApproval(aDesk(engine.db, { actor: "mia" }), { runId: run.id, step: "ship-it", choice: "yes" });
  expect((await readApprovals(engine.db, {})).approvals).toEqual([]);
  const done = await engine.untilEnded(run.id);
  expect(done.run.output).toEqual({ choice: "yes", by: "mia", note: null, at: expect.any(Date) });
  expect((await readRun(engine.db, run.id)).audit).toMatchObject([{ act: "answer", actor: "mia", step: "ship-it" }]);
});

it("of two people the first one wins, and the second learns it", async () => {
  const workflow = asking("two-people");
  const { run } = await engine.runToRest(workflow, {});
  const answers = await Promise.allSettled(
    ["mia", "tom"].map((actor) =>
      answerApproval(aDesk(engine.db, { actor }), {
        runId: run.id,
        step: "ship-it",
        choice: actor === "mia" ? "yes" : "no",
      }),
    ),
  );
  const won = answers.findIndex(({ status }) => status === "fulfilled");
  const lost = answers.find((answer) => answer.status === "rejected");
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(lost?.reason).toMatchObject({ code: "not_allowed" });
  const done = await engine.untilEnded(run.id);
  expect(done.run.output).toMatchObject(won === 0 ? { choice: "yes", by: "mia" } : { choice: "no", by: "tom" });
  await expect(
    answerApproval(aDesk(engine.db), { runId: run.id, step: "ship-it", choice: "no" }),
  ).rejects.toMatchObject({ code: "not_allowed", message: "The question was already answered, or has expired." });
});

it("an answer to a question that a rerun has asked anew since is refused", async () => {
  const workflow = asking("asked-anew");
  const { run } = await engine.runToRest(workflow, {});
  const answering = { runId: run.id, step: "ship-it", choice: "yes" };
  await rerun(aDesk(engine.db), { runId: run.id, reason: "other data", fromStep: "ship-it" });
  await engine.untilRun(run.id, ({ run: now, steps }) => now.status === "waiting" && steps.at(-1)?.generation === 2);
  await expect(answerApproval(aDesk(engine.db), { ...answering, generation: 1 })).rejects.toMatchObject({
    code: "changed",
    details: { generation: 2 },
  });
  await answerApproval(aDesk(engine.db), { ...answering, generation: 2 });
  expect((await engine.untilEnded(run.id)).run.status).toBe("completed");
});

it("a page of questions is one of those workflows that the caller sees", async () => {
  const [first, second] = [asking("seen-by-others"), asking("seen-by-me")];
  for (const workflow of [first, second]) await engine.runToRest(workflow, {});
  const { approvals } = await readApprovals(engine.db, { limit: 1 }, [second.name]);
  expect(approvals.map(({ workflow }) => workflow)).toEqual([second.name]);
});

it("an answer is safe to send twice, and must be one of the choices", async () => {
  const workflow = asking("twice");
  const { run } = await engine.runToRest(workflow, {});
  const desk = aDesk(engine.db, { requestKey: "twice-1", asks: "yes" });
  await expect(answerApproval(desk, { runId: run.id, step: "ship-it", choice: "perhaps" })).rejects.toMatchObject({
    code: "invalid_input",
  });
  await answerApproval(desk, { runId: run.id, step: "ship-it", choice: "yes" });
  await answerApproval(desk, { runId: run.id, step: "ship-it", choice: "yes" });
  await engine.untilEnded(run.id);
  const rows = await engine.rows("select result, code from handrail.audit where run_id = $1 order by id", [run.id]);
  expect(rows).toEqual([
    { result: "failed", code: "invalid_input" },
    { result: "done", code: null },
  ]);
});

it("when the time is up, the default counts; an answer at that instant wins or is refused", async () => {
  const workflow = asking("in-time");
  await engine.worker([workflow]);
  for (let round = 0; round < 26; round += 2) {
    const runId = await engine.start(workflow, { timeoutMs: 40 });
    await engine.untilRun(runId, ({ run }) => run.status !== "pending" && run.status !== "running");
    await new Promise((resolve) => setTimeout(resolve, 25 + round));
    const answered = await answerApproval(aDesk(engine.db, { actor: "mia" }), {
      runId,
      step: "ship-it",
      choice: "yes",
    }).then(
      () => true,
      () => false,
    );
    const { run } = await engine.untilEnded(runId);
    expect(run.output).toMatchObject(answered ? { choice: "yes", by: "mia" } : { choice: "later", by: null });
  }
}, 60_000);

it("a rerun asks anew", async () => {
  const workflow = asking("anew");
  const { run } = await engine.runToRest(workflow, {});
  await answerApproval(aDesk(engine.db), { runId: run.id, step: "ship-it", choice: "no" });
  await engine.untilEnded(run.id);
  await rerun(aDesk(engine.db), { runId: run.id, fromStep: "ship-it", reason: "think again" });
  await engine.untilRun(run.id, ({ run }) => run.status === "waiting" && run.waiting_kind === "approval");
  await answerApproval(aDesk(engine.db), { runId: run.id, step: "ship-it", choice: "yes" });
  expect((await engine.untilEnded(run.id)).run.output).toMatchObject({ choice: "yes" });
});
