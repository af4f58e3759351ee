import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examine } from "../../store/database/doctor";
import { lockRun } from "../../store/runs/lock-run";
import { rerunFailed } from "../../store/runs/rerun";
import { type ApiOnADatabase, anApiOnADatabase } from "../../testing/api/api-on-a-database";
import { aRun } from "../../testing/rows/a-run";
import { foldAll } from "../../worker/duties/problem-loop";
import type { Problem } from "../contract/problems";

let { api, database, db, close } = {} as ApiOnADatabase;
beforeAll(async () => {
  ({ api, database, db, close } = await anApiOnADatabase());
});
afterAll(() => close());

const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const fold = () => foldAll(db, () => false);
let keys = 0;
const failed = (workflow: string) => aRun(db, { workflow, idempotencyKey: `p${++keys}` }).failedAt("charge-payment");
const theOneOf = async (workflow: string): Promise<Problem> =>
  (await api.ask("GET", `/v1/problems?workflow=${workflow}&status=open,muted,resolved`)).body.problems[0];
const act = (id: string, what: string, body: object, key?: string) =>
  api.ask("POST", `/v1/problems/${id}/${what}`, { body, ...(key && { headers: { "idempotency-key": key } }) });

async function aProblem(workflow: string, runs = 1): Promise<Problem> {
  for (let run = 0; run < runs; run++) await failed(workflow);
  await fold();
  return theOneOf(workflow);
}

describe("the list of problems", () => {
  it("lists similar failures, how often they happened, and how many runs each holds now", async () => {
    const problem = await aProblem("listed", 3);
    expect(problem).toMatchObject({
      kind: "failed",
      step: "charge-payment",
      errorName: "Error",
      status: "open",
      failures: 3,
      exhausted: 3,
      openRuns: 3,
      returned: 0,
      cameBack: null,
      example: {
        pattern: "connect ECONNREFUSED <address>",
        version: 1,
        step: "charge-payment",
        error: { message: "connect ECONNREFUSED 127.0.0.1:3001" },
      },
    });
    expect(problem.sparkline.counts).toHaveLength(24);
    expect(problem.sparkline.counts.at(-1)).toBe(3);
  });

  it("is paged by keyset without a gap or a repetition, and narrowed by status, workflow, assignee and text", async () => {
    for (let index = 0; index < 7; index++) await failed(`paged-${index}`);
    await fold();
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await api.ask("GET", `/v1/problems?q=paged-&limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.problems.map(({ workflow }: Problem) => workflow));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `paged-${index}`));
    const found = async (query: string) => (await api.ask("GET", `/v1/problems?${query}`)).body.problems.length;
    expect(await found("q=PAGED-3")).toBe(1);
    expect(await found("q=econnrefused&workflow=paged-1,paged-2")).toBe(2);
    expect(await found("q=paged-&status=muted,resolved")).toBe(0);
    expect(await found("assignee=nobody-here")).toBe(0);
    expect((await api.ask("GET", "/v1/problems?cursor=forged")).status).toBe(400);
  });

  it("says how many of the newest runs got through the failing step since, and that none did before", async () => {
    const identity = { workflow: "works-again" };
    await aRun(db, identity).completed();
    const { id } = await aProblem("works-again");
    const since = async () => (await api.ask("GET", `/v1/problems/${id}`)).body.sinceLastFailure;
    expect(await since()).toEqual({ successes: 0, lastAt: null, ofRuns: 200 });
    // The steps of made-up runs ended some time ago.
    const justNow = (runId: string, attempt: number) =>
      rows("update handrail.step set finished_at = clock_timestamp(), attempt = $2 where run_id = $1", [
        runId,
        attempt,
      ]);
    await justNow(await aRun(db, identity).completed(), 1);
    await justNow(await aRun(db, identity).completed(), 0);
    expect(await since()).toEqual({ successes: 1, lastAt: expect.any(String), ofRuns: 200 });
  });

  it("counts the runs that got through a step of the same name but for what is data", async () => {
    const run = aRun(db, { workflow: "by-data" });
    const error = JSON.stringify({ name: "Error", message: "declined" });
    const step = { name: "charge:A-17", status: "failed", error } as const;
    await run.like({ status: "failed", attention: "failed", failedStep: step.name, error, steps: [step] });
    await fold();
    const since = async () =>
      (await api.ask("GET", `/v1/problems/${(await theOneOf("by-data")).id}`)).body.sinceLastFailure;
    const completed = (...names: string[]) =>
      run.like({ status: "completed", output: "null", steps: names.map((name) => ({ name, status: "completed" })) });
    await completed("charge:card", "refund:B-4");
    expect(await since()).toEqual({ successes: 0, lastAt: null, ofRuns: 200 });
    await completed("charge:B-4", "charge:B-5");
    expect(await since()).toEqual({ successes: 1, lastAt: expect.any(String), ofRuns: 200 });
  });

  it("counts the runs whose compensation of such a step was done by a worker", async () => {
    const run = aRun(db, { workflow: "undone-by-data" });
    const ofStep = (name: string, status: "failed" | "completed") => ({
      steps: [{ name, status: "completed" } as const],
      compensations: [{ step: name, mode: "automatic", status } as const],
    });
    const waiting = { kind: "operator", step: "charge:A-17" } as const;
    const owing = await run.like({ status: "compensating", waiting, ...ofStep(waiting.step, "failed") });
    // With its compensation, as the trigger finds it.
    await rows("update handrail.run set attention = 'compensation_owed' where id = $1", [owing]);
    await fold();
    const { id, kind } = await theOneOf("undone-by-data");
    expect(kind).toBe("undo_failed");
    const byWorker = await run.like({ status: "compensated", ...ofStep("charge:B-4", "completed") });
    await rows("update handrail.compensation set attempt = 1 where run_id = $1", [byWorker]);
    await run.like({ status: "compensated", ...ofStep("charge:B-5", "completed") });
    expect((await api.ask("GET", `/v1/problems/${id}`)).body.sinceLastFailure).toMatchObject({ successes: 1 });
  });

  it("says for how long failures wait to be counted", async () => {
    await failed("behind");
    await rows("update handrail.trouble set at = clock_timestamp() - interval '9 s'");
    expect((await api.ask("GET", "/v1/problems")).body.behindMs).toBeGreaterThan(8_999);
    await fold();
    expect((await api.ask("GET", "/v1/problems")).body.behindMs).toBe(0);
  });
});

describe("the runs of a problem", () => {
  it("are those it holds now, for the list, the counts and a plan", async () => {
    const problem = await aProblem("held", 3);
    const [first] = await rows("select id::text from handrail.run where workflow = 'held'");
    const query = `/v1/runs?problem=${problem.id}`;
    expect((await api.ask("GET", query)).body.runs).toHaveLength(3);
    await db.transaction(async (tx) => {
      await lockRun(tx, first.id);
      await rerunFailed(tx, first.id, false);
    });
    // Immediately, although the problem has not been updated yet.
    expect((await api.ask("GET", query)).body.runs).toHaveLength(2);
    expect((await api.ask("GET", `${query}&status=failed&q=${first.id}`)).body.runs).toEqual([]);
    expect((await api.ask("GET", `/v1/runs/counts?problem=${problem.id}`)).body.byStatus).toMatchObject({ failed: 2 });
    const { body: plan } = await api.ask("POST", "/v1/plans", {
      body: { act: "rerun", params: {}, selection: { filter: { problem: problem.id } } },
    });
    expect(plan.counts).toMatchObject({ runs: 2, included: 2 });
    await fold();
    expect(await theOneOf("held")).toMatchObject({ openRuns: 2, failures: 3 });
  });
});

describe("an action on a problem", () => {
  it("assigns, notes, mutes, resolves and reopens, each once and with its row in the audit and in the history", async () => {
    const { id } = await aProblem("acts");
    expect((await act(id, "assignment", { assignee: "ada" })).body).toMatchObject({ assignee: "ada", revision: 2 });
    expect((await act(id, "notes", { text: "The gateway is down." }, "one-key")).status).toBe(200);
    expect((await act(id, "notes", { text: "The gateway is down." }, "one-key")).status).toBe(200);
    const { body: muted } = await act(id, "mute", { forMs: 3_600_000, failures: 10, reason: "known" });
    expect(muted).toMatchObject({ status: "muted", mutedToCount: 11 });
    expect(Date.parse(muted.mutedUntil) - Date.now()).toBeGreaterThan(3_000_000);
    expect((await act(id, "resolution", { version: 2, reason: "mended in 2" })).body).toMatchObject({
      status: "resolved",
      resolvedIn: 2,
      mutedUntil: null,
    });
    const { body: reopened } = await act(id, "reopening", { reason: "it was not" });
    expect(reopened).toMatchObject({ status: "open", resolvedAt: null, resolvedIn: null });
    expect(reopened.history.map(({ what, by }: { what: string; by: string }) => `${what} ${by}`)).toEqual([
      "reopen operator",
      "resolve operator",
      "mute operator",
      "note operator",
      "assign operator",
    ]);
    const audit = await rows(
      "select act, after ->> 'problemId' as id from handrail.audit where workflow = 'acts' order by id",
    );
    expect(audit.map(({ act }) => act)).toEqual(
      ["assign", "note", "mute", "resolve", "reopen"].map((name) => `problem_${name}`),
    );
    expect(new Set(audit.map((row) => row.id))).toEqual(new Set([id]));
  });

  it("is refused where it would change nothing or was based on an old revision, with the attempt in the audit", async () => {
    const { id } = await aProblem("refused");
    expect(await act(id, "reopening", { reason: "why not" })).toMatchObject({
      status: 409,
      body: { error: { code: "not_allowed", message: "The problem is already open." } },
    });
    await act(id, "assignment", { assignee: "ada" });
    expect(await act(id, "resolution", { reason: "done", revision: 1 })).toMatchObject({
      status: 409,
      body: { error: { code: "changed" } },
    });
    expect(await rows("select act, result from handrail.audit where workflow = 'refused' order by id")).toEqual([
      { act: "problem_reopen", result: "denied" },
      { act: "problem_assign", result: "done" },
      { act: "problem_resolve", result: expect.stringMatching(/denied|failed/) },
    ]);
    const missing = "01a1fdd4-0000-7000-8000-000000000000";
    expect(await act(missing, "notes", { text: "x" })).toMatchObject({
      status: 404,
      body: { error: { code: "unknown_problem" } },
    });
    expect((await act(id, "mute", { forMs: 1, reason: "too short" })).status).toBe(422);
    expect((await act(id, "notes", { text: " " })).status).toBe(422);
  });

  it("ends by itself: a mute with its time, a resolution with the next failure, which marks the problem as come back", async () => {
    const { id } = await aProblem("ends");
    await act(id, "mute", { forMs: 60_000, reason: "known" });
    await rows("update handrail.problem set muted_until = clock_timestamp() - interval '1 ms' where id = $1", [id]);
    const { changeDueProblems } = await import("../../store/problems/due-changes");
    expect(await changeDueProblems(db)).toHaveLength(1);
    expect(await theOneOf("ends")).toMatchObject({ status: "open", mutedUntil: null });
    await act(id, "resolution", { reason: "mended" });
    const back = await aProblem("ends");
    expect(back).toMatchObject({ id, status: "open", cameBack: { after: "resolved" }, failures: 2 });
    const { body } = await api.ask("GET", `/v1/problems/${id}`);
    expect(body.history.slice(0, 3).map(({ what, by }: { what: string; by: string }) => [what, by])).toEqual([
      ["came_back", null],
      ["resolve", "operator"],
      ["mute_ended", null],
    ]);
  });

  it("and the fold wait for each other: none loses what the other wrote", async () => {
    const { id } = await aProblem("both");
    const folding = async () => {
      for (let round = 0; round < 10; round++) {
        await failed("both");
        await fold();
      }
    };
    const noting = async () => {
      for (let round = 0; round < 10; round++) await act(id, "assignment", { assignee: `ada ${round}` });
    };
    await Promise.all([folding(), noting()]);
    expect(await theOneOf("both")).toMatchObject({ failures: 11, openRuns: 11, assignee: "ada 9", revision: 11 });
  });
});

it("leaves nothing that the doctor reports", async () => {
  const broken = (await examine(db)).filter(({ hits }) => hits.length > 0).map(({ rule }) => rule.name);
  expect(broken.filter((name) => /roblem|ill|fold/.test(name))).toEqual([]);
});
