import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { PlannedAct } from "../../actions/actions";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { readRun } from "../runs/reads";
import { carryOutNext } from "./carry-out-item";
import { executePlan } from "./execute-plan";
import { makePlan } from "./make-plan";
import { readOperation } from "./operation-view";
import { readPlan } from "./plan-view";

const engine = anEngine();
const reason = "the gateway is back";
const desk = () => aDesk(engine.db);

const plan = (act: PlannedAct, ...runIds: string[]) => makePlan(desk(), act, { runIds });

async function carryOut(act: PlannedAct, runId: string, ...workflows: Workflow[]) {
  const { id, hash } = await plan(act, runId);
  const { body } = await executePlan(desk(), codeHere(workflows), { planId: id, hash, reason });
  return body.item;
}

const unbound = z.object({ n: z.int() });

describe("a rerun of one branch", () => {
  /** Two parallel branches, and a step after both; `calls` are the bodies that ran. */
  function sideBySide(name: string) {
    const calls: string[] = [];
    let refuses = true;
    const called = (step: string) => {
      calls.push(step);
      return step;
    };
    const workflow = defineWorkflow({ name, input: unbound, retry: { maxAttempts: 1 } }, async (ctx) => {
      await ctx.step("order", () => called("order"));
      let charged: () => void = () => undefined;
      const untilCharged = new Promise<void>((resolve) => {
        charged = resolve;
      });
      const pay = async () => {
        await ctx.step("reserve", () => called("reserve"));
        charged();
        await ctx.step("charge", () => called("charge"));
      };
      const ship = async () => {
        await ctx.step("pack", () => called("pack"));
        await untilCharged;
      };
      await Promise.all([pay(), ship()]);
      await ctx.step("mail", () => {
        if (refuses) throw new Error("refused");
        return called("mail");
      });
    });
    return { workflow, calls, heal: () => (refuses = false) };
  }

  it("leaves what ran beside it, in the plan and in the run", async () => {
    const { workflow, calls, heal } = sideBySide("branches");
    const { run } = await engine.runToEnd(workflow, { n: 1 });
    expect([run.status, calls.splice(0).sort()]).toEqual(["failed", ["charge", "order", "pack", "reserve"]]);
    heal();
    const act: PlannedAct = { act: "rerun", params: { fromStep: "reserve", scope: "branch" } };
    const { items } = await plan(act, run.id);
    expect(items[0]).toMatchObject({
      again: { first: ["reserve", "charge", "mail"] },
      keeps: { first: ["order", "pack"] },
    });
    expect(await carryOut(act, run.id)).toMatchObject({ outcome: "done" });
    expect((await engine.untilEnded(run.id)).run.status).toBe("completed");
    expect(calls).toEqual(["reserve", "charge", "mail"]);
  });

  it("takes along what followed an earlier outcome of the step", async () => {
    const calls: string[] = [];
    let refuses = true;
    const workflow = defineWorkflow({ name: "fallback", input: unbound, retry: { maxAttempts: 1 } }, async (ctx) => {
      const charged = await ctx
        .step("charge", () => {
          calls.push("charge");
          if (refuses) throw new Error("refused");
          return "charged";
        })
        .catch(() => "not charged");
      await ctx.step("note", () => calls.push(charged));
      await ctx.step("mail", () => {
        if (refuses) throw new Error("refused");
      });
    });
    const { run } = await engine.runToEnd(workflow, { n: 1 });
    refuses = false;
    const { items } = await plan({ act: "rerun", params: { fromStep: "charge", scope: "branch" } }, run.id);
    expect(items[0]?.again.first).toEqual(["charge", "note", "mail"]);
    await carryOut({ act: "rerun", params: { fromStep: "charge", scope: "branch" } }, run.id);
    await engine.untilEnded(run.id);
    expect(calls).toEqual(["charge", "not charged", "charge", "charged"]);
  });
});

describe("a new run", () => {
  const greeting = defineWorkflow(
    {
      name: "greeting",
      input: z.object({ to: z.string().min(1) }),
      tags: ({ to }) => ({ to }),
      retry: { maxAttempts: 1 },
    },
    (ctx, { to }) => ctx.step("greet", () => `Hello ${to}`),
  );

  it("has the edited input, and each of the two names the other", async () => {
    const { run } = await engine.runToEnd(greeting, { to: "Ada" });
    expect(await carryOut({ act: "start_again", params: { input: { to: "Eve" } } }, run.id, greeting)).toMatchObject({
      outcome: "done",
    });
    const old = await readRun(engine.db, run.id);
    const [newId] = old.startedAs as [string];
    const { run: fresh } = await engine.untilEnded(newId);
    expect([fresh.status, fresh.output]).toEqual(["completed", "Hello Eve"]);
    expect(await readRun(engine.db, newId)).toMatchObject({ startedFrom: run.id, startedAs: [], tags: { to: "Eve" } });
    expect(old).toMatchObject({ status: "completed", startedFrom: null });
    expect(old.audit[0]).toMatchObject({ act: "start_again", after: { newRunId: newId, editedInput: true } });
  });

  it("has the old one's input where none is given", async () => {
    const { run } = await engine.runToEnd(greeting, { to: "Ada" });
    await carryOut({ act: "start_again", params: {} }, run.id, greeting);
    const [newId] = (await readRun(engine.db, run.id)).startedAs as [string];
    expect((await engine.untilEnded(newId)).run.input).toBe(run.input);
  });

  it.each([
    ["keeps what a transform has made of its input", z.number().transform((euros) => euros * 100), 49, 4_900],
    ["has an input that its schema would refuse now", z.string().transform(Number), "7", 7],
  ])("%s", async (name, cents, given, parsed) => {
    const paying = defineWorkflow(
      { name: `paying-${name.slice(0, 3)}`, input: z.object({ cents }) },
      async (_, input) => input.cents,
    );
    const { run } = await engine.runToEnd(paying, { cents: given } as never);
    expect(run.output).toBe(parsed);
    expect(await carryOut({ act: "start_again", params: {} }, run.id, paying)).toMatchObject({ outcome: "done" });
    const [newId] = (await readRun(engine.db, run.id)).startedAs as [string];
    expect((await engine.untilEnded(newId)).run.output).toBe(parsed);
  });

  it("of another version, which would make another input of it, is refused", async () => {
    const options = { name: "paying-twice", input: z.object({ cents: z.number().transform((euros) => euros * 100) }) };
    const { run } = await engine.runToEnd(
      defineWorkflow(options, async (_, input) => input.cents),
      { cents: 49 },
    );
    const next = defineWorkflow({ ...options, version: 2 }, async (_, input) => input.cents);
    const item = await carryOut({ act: "start_again", params: {} }, run.id, next);
    expect(item).toMatchObject({ outcome: "failed", because: expect.stringContaining("Edit the input") });
  });

  it("of many keeps to the operation's rate, also after one that failed", async () => {
    const ids = [
      await aRun(engine.db, { workflow: "greeting" }).completed(),
      await aRun(engine.db, { workflow: "greeting" }).completed(),
    ];
    const { id, hash } = await plan({ act: "start_again", params: {} }, ...ids);
    const code = codeHere([greeting]);
    const { body } = await executePlan(desk(), code, { planId: id, hash, reason, ratePerSecond: 3, canary: 0 });
    const beats = [await carryOutNext({ ...desk(), code }, body.id), await carryOutNext({ ...desk(), code }, body.id)];
    expect((await readOperation(engine.db, body.id)).counts).toMatchObject({ failed: 2 });
    expect(beats).toEqual(ids.map(() => ({ next: "item", ratePerSecond: 3 })));
  });

  it("is not begun with what its workflow refuses, and says so", async () => {
    const runId = await aRun(engine.db, { workflow: "greeting" }).completed();
    expect(await carryOut({ act: "start_again", params: { input: { to: "" } } }, runId, greeting)).toMatchObject({
      outcome: "failed",
      because: expect.stringContaining('The input does not fit workflow "greeting"'),
    });
    expect((await readRun(engine.db, runId)).startedAs).toEqual([]);
    const both = [runId, await aRun(engine.db, { workflow: "greeting" }).completed()];
    await expect(plan({ act: "start_again", params: { input: { to: "Eve" } } }, ...both)).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("may outlive the old one", async () => {
    const runId = await aRun(engine.db, { workflow: "greeting" }).completed();
    await carryOut({ act: "start_again", params: { input: { to: "Eve" } } }, runId, greeting);
    const [newId] = (await readRun(engine.db, runId)).startedAs as [string];
    await engine.worker([greeting]);
    await engine.untilEnded(newId);
    await engine.rows("delete from handrail.step where run_id = $1", [runId]);
    await engine.rows("delete from handrail.run_tag where run_id = $1", [runId]);
    await engine.rows("delete from handrail.run where id = $1", [runId]);
    expect((await readRun(engine.db, newId)).startedFrom).toBeNull();
  });
});

it("a run that has not ended goes on with the version it was moved to, and with no other", async () => {
  const of = (version: number) =>
    defineWorkflow({ name: "moved", input: unbound, version }, async (ctx) => {
      await ctx.sleep("nap", "1h");
      return ctx.step("say", () => `version ${version}`);
    });
  const runId = await engine.start(of(1), { n: 1 });
  await engine.worker([of(1), of(2)]);
  await engine.untilResting(runId);
  expect((await plan({ act: "move", params: { version: 3 } }, runId)).items[0]?.because).toContain(
    "Live workers have versions 1, 2",
  );
  expect(await carryOut({ act: "move", params: { version: 2 } }, runId)).toMatchObject({ outcome: "done" });
  expect(await readRun(engine.db, runId)).toMatchObject({ status: "waiting", chosenVersion: 2 });
  expect(await carryOut({ act: "wake", params: {} }, runId)).toMatchObject({ outcome: "done" });
  expect((await engine.untilEnded(runId)).run.output).toBe("version 2");
});

it("a run planned to be cancelled without effects is left alone once it has charged, while its worker goes on", async () => {
  const [looks, found, packs, packed] = [gate(), gate(), gate(), gate()];
  const workflow = defineWorkflow({ name: "charged-meanwhile", input: unbound }, async (ctx) => {
    const lookUp = () => {
      looks.open();
      return found.opened;
    };
    await ctx.step("look-up", lookUp, { effect: "pure" });
    await ctx.step("charge", () => "ch_1", { effect: "idempotent" });
    await ctx.step("pack", () => {
      packs.open();
      return packed.opened;
    });
  });
  const runId = await engine.start(workflow, { n: 1 });
  await engine.worker([workflow]);
  await looks.opened;
  const { id, hash, items } = await plan({ act: "cancel", params: {} }, runId);
  expect(items[0]).toMatchObject({ included: true, split: "clean" });
  found.open();
  await packs.opened;
  const { body } = await executePlan(desk(), codeHere([workflow]), { planId: id, hash, reason });
  expect(body.item).toMatchObject({ outcome: "changed" });
  expect(await readRun(engine.db, runId)).toMatchObject({ status: "running", revision: items[0]?.revision });
  packed.open();
  expect((await engine.untilEnded(runId)).run.status).toBe("completed");
});

it("a version that was found not to fit is refused with what it lacks, and nothing was touched", async () => {
  const runId = await aRun(engine.db, { workflow: "moved" }).paused();
  await engine.rows(
    "insert into handrail.drift (run_id, generation, version, gone, gone_count, next, stopped) values ($1, 1, 2, '{create-order}', 1, 'other', true)",
    [runId],
  );
  const { items, id } = await plan({ act: "move", params: { version: 2 } }, runId);
  expect(items[0]).toMatchObject({
    included: false,
    because: 'That version does not fit what this run has done: it does not reach step "create-order".',
  });
  expect((await readPlan(engine.db, id)).counts.included).toBe(0);
});

describe("a failed step is", () => {
  it.each([
    ["skipped", { outcome: "skip" }, "undefined"],
    ["given an output", { outcome: "happened", output: { id: "ch_9" }, reference: "ch_9" }, "ch_9"],
  ] as const)("%s, and the run goes on behind it", async (name, params, seen) => {
    const workflow = defineWorkflow(
      { name: `${name}-step`.replaceAll(" ", "-"), input: unbound, retry: { maxAttempts: 1 } },
      async (ctx) => {
        const charge = await ctx.step("charge", (): { id: string } | undefined => {
          throw new Error("declined");
        });
        return ctx.step("mail", () => `${charge?.id}`);
      },
    );
    const { run } = await engine.runToEnd(workflow, { n: 1 });
    expect(run.status).toBe("failed");
    expect(await carryOut({ act: "settle", params }, run.id)).toMatchObject({ outcome: "done" });
    const { run: ended } = await engine.untilEnded(run.id);
    expect([ended.status, ended.output]).toEqual(["completed", seen]);
  });

  it("not given what cannot be kept: the plan is refused before anything is written", async () => {
    const runId = await aRun(engine.db).failedBetweenSteps();
    const output = { $type: "nonsense" };
    await expect(plan({ act: "settle", params: { outcome: "happened", output } }, runId)).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});

it("an event that does not fit what the workflow declares is the item's failure", async () => {
  const { defineEvent } = await import("../../engine/events/event");
  const seen = defineEvent({ name: "parcel.seen", payload: z.object({ at: z.string() }) });
  const waits = defineWorkflow({ name: "waits", input: unbound, events: [seen] }, (ctx) =>
    ctx.waitForEvent("seen", { event: seen }),
  );
  const runId = await engine.start(waits, { n: 1 });
  await engine.worker([waits]);
  await engine.untilResting(runId);
  const send = (payload: unknown) =>
    carryOut({ act: "send_event", params: { name: "parcel.seen", payload } }, runId, waits);
  expect(await send({ at: 7 })).toMatchObject({ outcome: "failed", because: expect.stringContaining("does not fit") });
  expect(await send({ at: "Berlin" })).toMatchObject({ outcome: "done" });
  expect((await engine.untilEnded(runId)).run.status).toBe("completed");
});
