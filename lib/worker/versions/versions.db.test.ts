import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appServices } from "../../../demo/services/app-services";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { anEngine } from "../../testing/workers/engine";
import { checkVersions } from "./check-versions";

const engine = anEngine();
const input = z.object({});

const check = (workflows: readonly Workflow[]) => checkVersions(engine.db, workflows, appServices);

/** Version 1 sleeps after two steps; the test defines later versions. Counts its bodies by name. */
function aFamily(name: string) {
  const ran: string[] = [];
  const body = (step: string) => () => void ran.push(step);
  const first = defineWorkflow({ name, input, version: 1 }, async (ctx) => {
    await ctx.step("charge", body("charge"), { compensate: () => void ran.push("refund") });
    await ctx.step("reserve", body("reserve"));
    await ctx.sleep("wait", "1h");
    await ctx.step("ship", body("ship"));
    return "by version 1";
  });
  const asleep = async () => {
    const runId = await engine.start(first);
    const worker = await engine.worker([first]);
    await engine.untilResting(runId);
    await worker.stop();
    return runId;
  };
  const wake = (runId: string) =>
    engine.rows(
      `with step as (update handrail.step set next_attempt_at = clock_timestamp() where run_id = $1 and status = 'waiting')
       update handrail.run set due_at = clock_timestamp() where id = $1 and status = 'waiting'`,
      [runId],
    );
  return { name, ran, body, first, asleep, wake };
}

// --- what docs/versions.md shows

/** The step "charge" has got another name, and "check" comes before it. */
const renamed = (family: ReturnType<typeof aFamily>, drift?: "stop" | "go_on") =>
  defineWorkflow({ name: family.name, input, version: 2, ...(drift && { drift }) }, async (ctx) => {
    await ctx.step("check", family.body("check"));
    await ctx.step("charge-card", family.body("charge-card"));
    await ctx.step("reserve", family.body("reserve"));
    await ctx.sleep("wait", "1h");
    return "by version 2";
  });

// --- the rest

it("this file has the snippet of the page", () => {
  const here = fileText(import.meta.url);
  const snippets = snippetsOf("versions.md");
  expect(snippets.length).toBeGreaterThan(0);
  for (const snippet of snippets) expect(here).toContain(snippet);
});

describe("a run whose code has drifted", () => {
  it("fails before anything else runs, and names the missing steps", async () => {
    const family = aFamily("drift-stops");
    const runId = await family.asleep();
    await family.wake(runId);
    await engine.worker([renamed(family)]);
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "failed", attention: "failed", failed_step: null, error: { code: "drifted" } });
    expect(run.error?.message).toContain('would run "check" without steps "charge", "reserve"');
    expect(family.ran).toEqual(["charge", "reserve"]);
  });

  it("is rerun on the version it began with, and does nothing twice", async () => {
    const family = aFamily("drift-mended");
    const runId = await family.asleep();
    await family.wake(runId);
    const drifted = await engine.worker([renamed(family)]);
    await engine.untilEnded(runId);
    await drifted.stop();
    await rerun(aDesk(engine.db), { runId, reason: "version 1 is back beside version 2" });
    await engine.worker([renamed(family), family.first]);
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "completed", output: "by version 1" });
    expect(family.ran).toEqual(["charge", "reserve", "ship"]);
  });

  it("continues where its code declares so", async () => {
    const family = aFamily("drift-goes-on");
    const runId = await family.asleep();
    await family.wake(runId);
    await engine.worker([renamed(family, "go_on")]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: "by version 2" });
    expect(family.ran).toEqual(["charge", "reserve", "check", "charge-card"]);
  });

  it("does not end as completed", async () => {
    const family = aFamily("drift-at-end");
    const runId = await family.asleep();
    await family.wake(runId);
    await engine.worker([
      defineWorkflow({ name: family.name, input, version: 2, onFailure: "compensate" }, async () => "nothing to do"),
    ]);
    const { run } = await engine.untilEnded(runId);
    expect(run).toMatchObject({ status: "failed", error: { code: "drifted" } });
    expect(run.error?.message).toContain("ends without");
    expect(family.ran).toEqual(["charge", "reserve"]);
  });

  it("is not a run whose new version only appends steps, or adds branches", async () => {
    const family = aFamily("drift-none");
    const runId = await family.asleep();
    await family.wake(runId);
    await engine.worker([
      defineWorkflow({ name: family.name, input, version: 2 }, async (ctx) => {
        await Promise.all([
          ctx.step("reserve", family.body("reserve")),
          ctx.step("charge", family.body("charge")).then(() => ctx.step("tell", family.body("tell"))),
        ]);
        await ctx.sleep("wait", "1h");
        await ctx.step("ship", family.body("ship"));
        return "by version 2";
      }),
    ]);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: "by version 2" });
    expect(family.ran).toEqual(["charge", "reserve", "tell", "ship"]);
  });
});

describe("versions side by side", () => {
  it("each continue their runs, and new runs begin with the newest", async () => {
    const family = aFamily("side-by-side");
    const runId = await family.asleep();
    const second = renamed(family);
    const worker = await engine.worker([second, family.first]);
    await family.wake(runId);
    expect((await engine.untilEnded(runId)).run).toMatchObject({ version: 1, output: "by version 1" });
    const newer = await engine.start(second);
    await engine.untilResting(newer);
    await worker.stop();
    expect((await engine.historyOf(newer)).steps.map(({ name }) => name)).toContain("check");
    expect(
      await engine.rows("select version from handrail.workflow where name = $1 order by version", [family.name]),
    ).toEqual([{ version: 1 }, { version: 2 }]);
  });
});

describe("check-versions", () => {
  it("lists the open runs that would drift, without running anything", async () => {
    const family = aFamily("checked");
    const runId = await family.asleep();
    const before = await engine.historyOf(runId);
    const mine = async (workflows: readonly Workflow[]) =>
      (await check(workflows)).misfits.filter((misfit) => misfit.runId === runId);
    expect(await mine([family.first])).toEqual([]);
    expect(await mine([renamed(family), family.first])).toEqual([]);
    const facts = { runId, workflow: "checked", begunWith: 1 };
    const drift = { ...facts, kind: "drift", version: 2, gone: ["charge", "reserve"], next: ["check"] };
    expect(await mine([renamed(family)])).toEqual([{ ...drift, stops: true }]);
    expect(await mine([renamed(family, "go_on")])).toEqual([{ ...drift, stops: false }]);
    expect(await mine([])).toEqual([{ ...facts, kind: "no code", chosen: null }]);
    expect(family.ran).toEqual(["charge", "reserve"]);
    expect(await engine.historyOf(runId)).toEqual(before);
  });

  it("checks every open run, also those that have done nothing yet", async () => {
    const workflow = defineWorkflow({ name: "checked-many", input }, async () => undefined);
    await Promise.all(Array.from({ length: 230 }, () => engine.start(workflow)));
    const { runs, misfits } = await check([workflow]);
    expect(runs).toBeGreaterThanOrEqual(230);
    expect(misfits.filter((misfit) => misfit.workflow === "checked-many")).toEqual([]);
  });
});

describe("a step that a pass omits", () => {
  const notesOf = (runId: string) =>
    engine.rows(
      "select generation, version, gone, next, stopped from handrail.drift where run_id = $1 order by generation",
      [runId],
    );

  it("is recorded where it stops the run, and where the run continues", async () => {
    const [stopped, goesOn] = [aFamily("noted-stop"), aFamily("noted-go-on")];
    for (const [family, policy, status] of [
      [stopped, "stop", "failed"],
      [goesOn, "go_on", "completed"],
    ] as const) {
      const runId = await family.asleep();
      await family.wake(runId);
      await engine.worker([renamed(family, policy)]);
      expect((await engine.untilEnded(runId)).run.status).toBe(status);
      const gone = status === "failed" ? ["charge", "reserve"] : ["charge"];
      expect(await notesOf(runId)).toEqual([
        { generation: 1, version: 2, gone, next: "check", stopped: policy === "stop" },
      ]);
    }
  });

  it("is no longer recorded when a later pass reaches it", async () => {
    const family = aFamily("noted-back");
    const runId = await family.asleep();
    await family.wake(runId);
    const late = defineWorkflow({ name: family.name, input, version: 2, drift: "go_on" }, async (ctx) => {
      await ctx.step("check", family.body("check"));
      await ctx.sleep("nap", 20);
      await ctx.step("charge", family.body("charge"));
      await ctx.step("reserve", family.body("reserve"));
      await ctx.sleep("wait", "1h");
    });
    await engine.worker([late]);
    await engine.untilEnded(runId);
    expect(await notesOf(runId)).toEqual([{ generation: 1, version: 2, gone: [], next: "check", stopped: false }]);
    expect(family.ran).toEqual(["charge", "reserve", "check"]);
  });
});
