import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { aProblemDatabase, REFUSED } from "../../testing/problems";
import { until } from "../../testing/until";
import { start, startWorker } from "../../testing/workers/a-worker";
import { setFaultHandler } from "../fault-points";
import { FOLDED_AT_ONCE, foldProblems } from "./fold-problems";
import { MAX_KEYS } from "./problems-of-troubles";

const later = vi.hoisted(() => ({ rule: false }));
vi.mock("../../engine/problems/fingerprint", async (original) => {
  const known = await original<typeof import("../../engine/problems/fingerprint")>();
  const fingerprintsOf: typeof known.fingerprintsOf = (error, step) => {
    const { pattern, fingerprints } = known.fingerprintsOf(error, step);
    const better = { rule: 2, step: "by a later rule", fingerprint: error.message.slice(0, 3) };
    return { pattern, fingerprints: later.rule ? [better, ...fingerprints] : fingerprints };
  };
  return { ...known, fingerprintsOf };
});

const there = aProblemDatabase();
const { db, rows, foldAllNow, problemsOf, failed, rerun, failsAgain } = there;

const many = (count: number) => Array.from({ length: count }, (_, index) => REFUSED(10_000 + index));

it("an error that was stored with NUL is folded like any other, and holds up none behind it", async () => {
  const [runId] = await failed("nul", ["first"]);
  await rows("delete from handrail.trouble");
  await rerun(runId as string);
  await foldAllNow();
  await rows(
    `update handrail.run set status = 'failed', attention = 'failed', failed_step = 'charge', finished_at = now(), started_at = now(),
     error = '{"name":"Error","message":"answered \\u0000 twice"}' where id = $1`,
    [runId],
  );
  await failed("nul-behind", [REFUSED(1)]);
  await foldAllNow();
  expect(await problemsOf("nul")).toMatchObject([{ pattern: "answered \ufffd twice", open_runs: 1 }]);
  expect(await problemsOf("nul-behind")).toHaveLength(1);
});

describe("failures", () => {
  it("that differ only in ids, numbers and addresses are one problem, with its facts", async () => {
    const workflow = defineWorkflow(
      { name: "alike", version: 3, input: z.object({ n: z.number() }), retry: { maxAttempts: 2, initialDelayMs: 1 } },
      (ctx, { n }) =>
        ctx.step("charge", () => {
          if (n === 9) throw new NonRetryableError(`No such customer: cus_${n}aBc123`);
          throw new Error(REFUSED(3000 + n));
        }),
    );
    const worker = await startWorker(there.database, [workflow]);
    const runs = await Promise.all([1, 2, 3, 9].map((n) => start(db(), workflow, { n })));
    const problems = await until("Two problems", async () => {
      const found = await problemsOf("alike");
      return found.reduce((sum, { failures }) => sum + Number(failures), 0) >= 4 && found;
    });
    await worker.stop();
    expect(problems.map(({ pattern }) => pattern).sort()).toEqual([
      "No such customer: <id>",
      "connect ECONNREFUSED <address>",
    ]);
    const refused = problems.find(({ error_name }) => error_name === "Error");
    expect(refused).toMatchObject({ kind: "failed", step: "charge", status: "open", example_version: 3 });
    expect(refused).toMatchObject({ failures: "3", exhausted: "3", open_runs: 3, came_back: null });
    expect(problems.find(({ error_name }) => error_name !== "Error")).toMatchObject({ failures: "1", exhausted: "0" });
    expect(
      await rows("select version, failures from handrail.problem_version where problem_id = $1", [refused?.id]),
    ).toEqual([{ version: 3, failures: "3" }]);
    const counts = await rows<{ minutes: number; failures: number }>(
      "select minutes, sum(failures)::int as failures from handrail.problem_count where problem_id = $1 group by 1 order by 1",
      [refused?.id],
    );
    expect(counts).toEqual([
      { minutes: 1, failures: 3 },
      { minutes: 60, failures: 3 },
    ]);
    expect(runs).toContain(refused?.example_run_id);
  });

  it("of one repaired run that fails alike again mark the problem as come back, and count one open run", async () => {
    const [run] = await failed("again", [REFUSED(1)]);
    await foldAllNow();
    await rerun(run as string);
    await foldAllNow();
    expect(await problemsOf("again")).toMatchObject([{ open_runs: 0, failures: "1", came_back: null }]);
    await failsAgain(run as string, REFUSED(2));
    await foldAllNow();
    const [problem] = await problemsOf("again");
    expect(problem).toMatchObject({ open_runs: 1, failures: "2", returned: "1", came_back: "rerun", status: "open" });
    expect(await rows("select what, by from handrail.problem_history where problem_id = $1", [problem?.id])).toEqual([
      { what: "came_back", by: null },
    ]);
  });

  it("after a problem was resolved open it again, with its history", async () => {
    await failed("returns", [REFUSED(1)]);
    await foldAllNow();
    await rows(
      "update handrail.problem set status = 'resolved', resolved_at = clock_timestamp() where workflow = 'returns'",
    );
    await failed("returns", [REFUSED(2)]);
    await foldAllNow();
    expect(await problemsOf("returns")).toMatchObject([
      { status: "open", resolved_at: null, came_back: "resolved", failures: "2" },
    ]);
  });

  it("of steps in doubt and of failed compensations are separate problems", async () => {
    const [run] = await failed("kinds", [REFUSED(1)]);
    await rows(
      `insert into handrail.step (run_id, name, generation, kind, effect, status, position, attempt, max_attempts, key_generation, doubt, started_at)
       values ($1, 'mail', 1, 'step', 'once', 'unknown', 1, 1, 1, 1, '{"name":"WorkerLost","message":"Its worker was lost."}', now())`,
      [run],
    );
    await rows("update handrail.run set attention = 'outcome_unknown' where id = $1", [run]);
    await foldAllNow();
    expect(await problemsOf("kinds")).toMatchObject([
      { kind: "failed", step: "charge", open_runs: 0, failures: "1" },
      { kind: "outcome_unknown", step: "mail", open_runs: 1, pattern: "Its worker was lost." },
    ]);
    await rows(
      `with undo as (insert into handrail.compensation (run_id, step, generation, mode, status, position, error)
         values ($1, 'book', 1, 'automatic', 'failed', 1, '{"name":"Error","message":"no refund"}')), settled as (
         update handrail.step set status = 'skipped', finished_at = now(), finished_position = 1, output = 'null' where run_id = $1)
       update handrail.run set status = 'compensating', attention = 'compensation_owed', waiting_kind = 'operator', waiting_step = 'book',
         waiting_since = now(), finished_at = null where id = $1`,
      [run],
    );
    await foldAllNow();
    expect((await problemsOf("kinds")).map(({ kind, open_runs }) => [kind, open_runs])).toEqual([
      ["failed", 0],
      ["outcome_unknown", 0],
      ["undo_failed", 1],
    ]);
  });

  it("of deleted runs are counted, and leave no open run", async () => {
    const runs = await failed("deleted", [REFUSED(1), REFUSED(2)]);
    await foldAllNow();
    await rows("delete from handrail.run where id = any ($1)", [runs]);
    await foldAllNow();
    expect(await problemsOf("deleted")).toMatchObject([{ failures: "2", open_runs: 0 }]);
    expect(await rows("select from handrail.problem_run where run_id = any ($1)", [runs])).toEqual([]);
    // Also when they are deleted before the first fold.
    const soon = await failed("deleted", [REFUSED(3)]);
    await rows("delete from handrail.run where id = any ($1)", [soon]);
    await foldAllNow();
    expect(await problemsOf("deleted")).toMatchObject([{ failures: "3", open_runs: 0 }]);
  });

  it("that all differ are one problem beyond a bound", async () => {
    const strange = Array.from({ length: MAX_KEYS + 20 }, (_, index) =>
      [...`${index}`].map((digit) => "abcdefghij"[Number(digit)]).join(" of "),
    );
    await failed("strange", strange);
    await foldAllNow();
    const problems = await problemsOf("strange");
    expect(problems).toHaveLength(MAX_KEYS + 1);
    expect(problems.find(({ error_name }) => error_name === "Others")).toMatchObject({ failures: "20", open_runs: 20 });
  }, 60_000);

  it("that cannot be read delay no others", async () => {
    await failed("unreadable", ["fine"]);
    await rows("update handrail.trouble set error = '\"' where workflow = 'unreadable'");
    await foldAllNow();
    expect(await problemsOf("unreadable")).toMatchObject([{ error_name: "UnreadableError", failures: "1" }]);
  });
});

describe("the fold", () => {
  it("takes every failure once, also with several folds at the same time", async () => {
    const messages = many(FOLDED_AT_ONCE * 3 + 7);
    await failed("once", messages);
    await Promise.all(Array.from({ length: 5 }, () => foldAllNow()));
    await foldAllNow();
    expect(await problemsOf("once")).toMatchObject([{ failures: String(messages.length), open_runs: messages.length }]);
    expect(await rows("select from handrail.trouble")).toEqual([]);
  });

  it("that dies before its commit has no effect", async () => {
    await failed("dies", many(3));
    setFaultHandler((point) => {
      if (point === "problems:before-commit") throw new Error("died");
    });
    await expect(foldProblems(db())).rejects.toThrow("died");
    setFaultHandler(undefined);
    expect(await problemsOf("dies")).toEqual([]);
    await foldAllNow();
    expect(await problemsOf("dies")).toMatchObject([{ failures: "3" }]);
  });

  it("finds a failure that commits late with a low number", async () => {
    const client = await there.database.pool.connect();
    try {
      await client.query("begin");
      await client.query(
        `insert into handrail.run (id, workflow, version, status, input, attention, failed_step, error, started_at, finished_at)
         values (gen_random_uuid(), 'late', 1, 'failed', '{}', 'failed', 'charge', '{"name":"Error","message":"late"}', now(), now())`,
      );
      await failed("late", ["late"]);
      await foldAllNow();
      expect(await problemsOf("late")).toMatchObject([{ failures: "1" }]);
      await client.query("commit");
    } finally {
      client.release();
    }
    await foldAllNow();
    expect(await problemsOf("late")).toMatchObject([{ failures: "2", open_runs: 2 }]);
  });

  it("adds a later rule's key to the problem that an earlier rule began", async () => {
    await failed("rules", ["one 1", "two 1"]);
    await foldAllNow();
    later.rule = true;
    await failed("rules", ["one 2", "two 2", "three 2"]);
    await foldAllNow();
    later.rule = false;
    await failed("rules", ["one 3", "three 3"]);
    await foldAllNow();
    expect((await problemsOf("rules")).map(({ pattern, failures }) => [pattern, failures]).sort()).toEqual([
      ["one <n>", "3"],
      ["three <n>", "2"],
      ["two <n>", "2"],
    ]);
    const keys = await rows(
      "select rule, count(*)::int as keys from handrail.problem_fingerprint where workflow = 'rules' group by 1 order by 1",
    );
    expect(keys).toEqual([
      { rule: 1, keys: 3 },
      { rule: 2, keys: 3 },
    ]);
  });
});
