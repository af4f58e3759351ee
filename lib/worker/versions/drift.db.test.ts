import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appServices } from "../../../demo/services/app-services";
import { type Context, defineWorkflow, type WorkflowOptions } from "../../engine/workflows/workflow";
import { rerun, settleStep } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { anEngine } from "../../testing/workers/engine";
import { checkVersions } from "./check-versions";

const engine = anEngine();
const input = z.object({});
const once = { retry: { maxAttempts: 1 } };

/** Code of one name and version, deployed again and again. Counts its bodies by name. */
function aWorkflow(name: string, options: Partial<WorkflowOptions<typeof input>> = {}) {
  const ran: string[] = [];
  const body = (step: string) => () => void ran.push(step);
  const code = (handler: (ctx: Context) => Promise<unknown>) =>
    defineWorkflow({ ...options, name, input, version: 1 }, handler);
  /** Until the run waits or has ended; then that code's worker is stopped. */
  const deploy = async (runId: string, workflow: ReturnType<typeof code>) => {
    await engine.rows(
      `with step as (update handrail.step set next_attempt_at = clock_timestamp() where run_id = $1 and status = 'waiting')
       update handrail.run set due_at = clock_timestamp() where id = $1 and status = 'waiting'`,
      [runId],
    );
    const worker = await engine.worker([workflow]);
    await engine.untilResting(runId);
    await worker.stop();
    return engine.historyOf(runId);
  };
  const begin = async (workflow: ReturnType<typeof code>) => {
    const runId = await engine.start(workflow);
    await deploy(runId, workflow);
    return runId;
  };
  return { ran, body, code, deploy, begin };
}

const notesOf = (runId: string) =>
  engine.rows("select generation, gone, next, stopped from handrail.drift where run_id = $1 order by generation", [
    runId,
  ]);
const drifted = { status: "failed", attention: "failed", error: { code: "drifted" } };

/** Two steps and a sleep, after which other code of the same version goes on. */
async function asleep(name: string, options?: Partial<WorkflowOptions<typeof input>>) {
  const workflow = aWorkflow(name, options);
  const { body } = workflow;
  const runId = await workflow.begin(
    workflow.code(async (ctx) => {
      await ctx.step("charge", body("charge"), { compensate: body("refund") });
      await ctx.step("reserve", body("reserve"));
      await ctx.sleep("wait", "1h");
      return "as it was";
    }),
  );
  return { ...workflow, runId };
}

describe("other code of the same version", () => {
  const CHANGED: [string, (ctx: Context, body: (step: string) => () => void) => Promise<unknown>, string, string][] = [
    [
      "a renamed step",
      async (ctx, body) => {
        await ctx.step("charge-card", body("charge-card"));
        await ctx.step("reserve", body("reserve"));
        await ctx.sleep("wait", "1h");
      },
      "charge-card",
      'would run "charge-card" without steps "charge", "reserve"',
    ],
    [
      "a removed step",
      async (ctx, body) => {
        await ctx.step("reserve", body("reserve"));
        await ctx.sleep("wait", "1h");
      },
      "wait",
      'would run "wait" without step "charge"',
    ],
    [
      "a step that is now behind an if",
      async (ctx, body) => {
        if (Object.keys(ctx.run.tags).length > 0) await ctx.step("charge", body("charge"));
        await ctx.step("reserve", body("reserve"));
        await ctx.sleep("wait", "1h");
      },
      "wait",
      'would run "wait" without step "charge"',
    ],
    ["an end before what is done", async () => "done", "its end", 'ends without steps "charge", "reserve"'],
  ];
  for (const [what, handler, next, message] of CHANGED)
    it(`with ${what} stops the run before ${next}`, async () => {
      const { runId, ran, code, deploy, body } = await asleep(`same-${what.replaceAll(" ", "-")}`);
      const { run } = await deploy(
        runId,
        code((ctx) => handler(ctx, body)),
      );
      expect(run).toMatchObject(drifted);
      expect(run.error?.message).toContain(message);
      expect(ran).toEqual(["charge", "reserve"]);
      expect(await notesOf(runId)).toMatchObject([{ next: next === "its end" ? null : next, stopped: true }]);
    });

  it("continues where it declares so, and the run lists the omitted steps", async () => {
    const { runId, ran, code, deploy, body } = await asleep("same-goes-on", { drift: "go_on" });
    const { run } = await deploy(
      runId,
      code((ctx) => ctx.step("charge-card", body("charge-card"))),
    );
    expect(run.status).toBe("completed");
    expect(ran).toEqual(["charge", "reserve", "charge-card"]);
    expect(await notesOf(runId)).toEqual([
      { generation: 1, gone: ["charge", "reserve"], next: "charge-card", stopped: false },
    ]);
  });

  it("compensates nothing automatically, and fits again after the next deploy", async () => {
    const { runId, ran, code, deploy, body } = await asleep("same-compensates", { onFailure: "compensate" });
    const { run } = await deploy(
      runId,
      code((ctx) => ctx.step("other", body("other"))),
    );
    expect(run).toMatchObject(drifted);
    await rerun(aDesk(engine.db), { runId, reason: "the name is back" });
    const mended = await deploy(
      runId,
      code(async (ctx) => {
        await ctx.step("charge", body("charge"), { compensate: body("refund") });
        await ctx.step("reserve", body("reserve"));
        await ctx.sleep("wait", "1h");
        return "mended";
      }),
    );
    expect(mended.run).toMatchObject({ status: "completed", output: "mended" });
    expect(ran).toEqual(["charge", "reserve"]);
  });

  it("may reach completed steps in another order, in branches, and after other calls than steps", async () => {
    const { runId, ran, code, deploy, body } = await asleep("same-order");
    const { run } = await deploy(
      runId,
      code(async (ctx) => {
        await Promise.all([
          ctx.step("mail", body("mail")),
          ctx.step("reserve", body("reserve")),
          new Promise((resolve) => setTimeout(resolve, 20)).then(() => ctx.step("charge", body("charge"))),
        ]);
        await ctx.sleep("wait", "1h");
        return "reordered";
      }),
    );
    expect(run).toMatchObject({ status: "completed", output: "reordered" });
    expect(ran).toEqual(["charge", "reserve", "mail"]);
  });
});

describe("the same code", () => {
  it("ends after loops over data, branches and losers of races", async () => {
    const { code, begin, deploy, body } = aWorkflow("same-code");
    const workflow = code(async (ctx) => {
      const items = await ctx.step("items", () => ["a", "b", "c"]);
      for (const item of items) await ctx.step(`item:${item}`, body(item));
      const slow = async () => {
        await ctx.step("slow", () => new Promise((resolve) => setTimeout(resolve, 30)));
        await ctx.step("behind-slow", body("behind-slow"));
      };
      await Promise.race([ctx.step("quick", body("quick")), slow(), ctx.sleep("limit", "2h")]);
      await ctx.sleep("wait", "1h");
      await ctx.step("last", body("last"));
      return "done";
    });
    const runId = await begin(workflow);
    expect((await deploy(runId, workflow)).run).toMatchObject({ status: "completed", output: "done" });
    expect(await notesOf(runId)).toEqual([]);
  });

  it("is rerun from an earlier step: later steps are met again, or differ", async () => {
    const { ran, code, begin, deploy, body } = aWorkflow("rerun-from");
    const workflow = code(async (ctx) => {
      await ctx.step("first", body("first"));
      const way = await ctx.step("choose", () => (ctx.run.generation === 1 ? "left" : "right"));
      await ctx.step(way, body(way));
      return way;
    });
    const runId = await begin(workflow);
    await rerun(aDesk(engine.db), { runId, fromStep: "choose", reason: "the other way" });
    expect((await deploy(runId, workflow)).run).toMatchObject({ status: "completed", output: "right" });
    expect(ran).toEqual(["first", "left", "right"]);
  });

  /** The failed step's error is caught and handled, and then fails the run. */
  const clearsUp = (workflow: ReturnType<typeof aWorkflow>, isMended: () => boolean) =>
    workflow.code(async (ctx) => {
      await ctx.step("before", workflow.body("before"));
      try {
        await ctx.step("pay", () => (isMended() ? "paid" : Promise.reject(new Error("declined"))), once);
      } catch (error) {
        await ctx.step("clear-up", workflow.body("clear-up"));
        throw error;
      }
      await ctx.sleep("wait", "1h");
      await ctx.step("ship", workflow.body("ship"));
      return "shipped";
    });

  it("is rerun where it failed and had cleaned up: the clean-up need not be met again, and is reported", async () => {
    let mended = false;
    const workflow = aWorkflow("rerun-failed");
    const code = clearsUp(workflow, () => mended);
    const runId = await workflow.begin(code);
    mended = true;
    await rerun(aDesk(engine.db), { runId, reason: "the provider is back" });
    await workflow.deploy(runId, code);
    const { misfits } = await checkVersions(engine.db, [code], appServices);
    expect(misfits.filter((misfit) => misfit.runId === runId)).toEqual([]);
    expect((await workflow.deploy(runId, code)).run).toMatchObject({ status: "completed", output: "shipped" });
    expect(workflow.ran).toEqual(["before", "clear-up", "ship"]);
    expect(await notesOf(runId)).toEqual([{ generation: 2, gone: ["clear-up"], next: "wait", stopped: false }]);
  });

  it("continues after an output that a person supplied", async () => {
    const workflow = aWorkflow("supplied");
    const code = clearsUp(workflow, () => false);
    const runId = await workflow.begin(code);
    await settleStep(aDesk(engine.db), {
      ...{ runId, step: "pay", outcome: "happened", output: "paid by hand" },
      reason: "seen in the ledger",
    });
    await workflow.deploy(runId, code);
    expect((await workflow.deploy(runId, code)).run).toMatchObject({ status: "completed", output: "shipped" });
  });

  it("must still reach the steps before the one that is rerun", async () => {
    let mended = false;
    const workflow = aWorkflow("rerun-renamed");
    const runId = await workflow.begin(clearsUp(workflow, () => mended));
    mended = true;
    await rerun(aDesk(engine.db), { runId, reason: "the provider is back" });
    const { run } = await workflow.deploy(
      runId,
      workflow.code(async (ctx) => {
        await ctx.step("renamed", workflow.body("renamed"));
        await ctx.step("pay", () => "paid", once);
        return "paid";
      }),
    );
    expect(run).toMatchObject(drifted);
    expect(run.error?.message).toContain('would run "renamed" without step "before"');
    expect(workflow.ran).toEqual(["before", "clear-up"]);
  });
});
