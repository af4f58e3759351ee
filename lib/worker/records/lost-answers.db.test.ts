import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { NonRetryableError } from "../../engine/steps/retry-policy";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { startProxy, type TestProxy } from "../../testing/database/proxy";
import { anEngine } from "../../testing/workers/engine";

// A worker whose network loses the answer to an executed statement, or breaks before the statement arrives. For every
// statement: the run ends, and every outcome is recorded once.

const engine = anEngine();
const input = z.object({});

let proxy: TestProxy;
beforeEach(async () => {
  proxy = await startProxy(engine.database.url);
  await engine.rows("create table if not exists effect (run_id uuid, what text)");
});
afterEach(() => proxy.close());

const effectsOf = async (runId: string) =>
  (await engine.rows<{ what: string }>("select what from effect where run_id = $1 order by what", [runId])).map(
    ({ what }) => what,
  );

function everything(name: string) {
  return defineWorkflow({ name, input, retry: { initialDelayMs: 1 } }, async (ctx) => {
    let failures = 0;
    await ctx.step("plain", ({ attempt }) => {
      if (attempt === 1 && failures++ === 0) throw new Error("once more");
      return attempt;
    });
    await ctx.step("once", () => "sent", { effect: "once" });
    await ctx.transaction(
      "committed",
      async (tx) => {
        await tx.query(`${EFFECT} (run_id, what) values ($1, 'committed')`, [ctx.run.id]);
        return "committed";
      },
      { client: "pg" },
    );
    await ctx.sleep("nap", 30);
    return "done";
  });
}

const EFFECT = "insert into effect";
/** By the names of prepared statements; a commit is a plain one, which ends in NUL: here the step's transaction. */
const STATEMENTS = [["claim-runs"], ["record-many"], ["record-step"], ["commit\0", EFFECT]] as const;

describe.each(["loseAnswer", "cut"] as const)("a network that does %s", (trouble) => {
  it.each(STATEMENTS.map(([statement, after], index) => [index, statement, after] as const))(
    "to statement %i, %s",
    async (index, statement, after) => {
      const workflow = everything(`everything-${trouble.toLowerCase()}-${index}`);
      // Not before it has registered, which is a transaction, too.
      await engine.worker([workflow], { url: proxy.url });
      const happened = proxy[trouble](statement, after);
      const runId = await engine.start(workflow);
      await happened;
      const { run, steps } = await engine.untilEnded(runId);
      expect(run).toMatchObject({ status: "completed", output: "done" });
      expect(steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
        "plain completed",
        "once completed",
        "committed completed",
        "nap completed",
      ]);
      expect(await effectsOf(runId)).toEqual(["committed"]);
    },
  );
});

it("a transaction that cannot begin spends no attempt", async () => {
  const workflow = everything("false-starts");
  await engine.worker([workflow], { url: proxy.url });
  const happened = [proxy.cut("begin\0"), proxy.cut("begin\0"), proxy.loseAnswer("begin\0")];
  const runId = await engine.start(workflow);
  await Promise.all(happened);
  const { run, steps } = await engine.untilEnded(runId);
  expect(run.status).toBe("completed");
  expect(steps.find(({ name }) => name === "committed")).toMatchObject({
    status: "completed",
    attempt: 1,
    failures: 0,
  });
  expect(await effectsOf(runId)).toEqual(["committed"]);
});

describe("while compensating, a network that loses", () => {
  it.each([
    ["the answer to the start of a compensation", "a", "begin-undo", 1],
    ["the answer to the record of a compensation", "b", "keep-undo", 1],
    ["the answers to the commits of three of its transactions", "c", "commit\0", 3],
    ["the answer to the failure that it begins with", "d", "fail-before-compensating", 1],
  ])("%s", async (_, name, statement, times) => {
    const undone: string[] = [];
    const workflow = defineWorkflow(
      { name: `undoing-${name}`, input, onFailure: "compensate", retry: { initialDelayMs: 1 } },
      async (ctx) => {
        for (const step of ["a", "b"])
          await ctx.step(step, () => step, { compensate: (output) => void undone.push(String(output)) });
        await ctx.step("fails", () => {
          throw new NonRetryableError("no");
        });
      },
    );
    await engine.worker([workflow], { url: proxy.url });
    const happened = Array.from({ length: times }, () => proxy.loseAnswer(statement));
    const runId = await engine.start(workflow);
    await Promise.all(happened);
    const { run, compensations } = await engine.untilEnded(runId);
    expect(run.status).toBe("compensated");
    expect(compensations).toMatchObject([
      { step: "b", status: "completed" },
      { step: "a", status: "completed" },
    ]);
    expect(undone).toEqual(["b", "a"]);
  });
});

it("a dead network ends the lease before another worker takes over, and nothing is written after it", async () => {
  let bodies = 0;
  let signal: AbortSignal | undefined;
  const workflow = defineWorkflow({ name: "blackout", input }, async (ctx) =>
    ctx.step("held", async (body) => {
      bodies++;
      if (bodies > 1) return "second";
      signal = body.signal;
      await new Promise((resolve) => body.signal.addEventListener("abort", resolve));
      return "first";
    }),
  );
  const runId = await engine.start(workflow);
  const cutOff = await engine.worker([workflow], { url: proxy.url, leaseMs: 900, name: "cut off" });
  await engine.untilRun(runId, ({ run }) => run.status === "running");
  proxy.goBlack();
  await engine.worker([workflow], { leaseMs: 900, name: "healthy" });
  const { run, steps, lostClaims } = await engine.untilEnded(runId);
  expect(run.output).toBe("second");
  expect(steps).toMatchObject([{ status: "completed", output: "second" }]);
  expect(lostClaims).toBe(1);
  expect(cutOff.isLost()).toBe(true);
  expect(signal?.aborted).toBe(true);
  proxy.heal();
});
