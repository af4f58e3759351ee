import { expect, it } from "vitest";
import { z } from "zod";
import type { App } from "../../../lib/app";
import { defineSchedule } from "../../../lib/engine/schedules/schedule";
import { defineWorkflow, type WorkflowOptions } from "../../../lib/engine/workflows/workflow";
import { readEnv } from "../../../lib/env";
import { syncSchedules } from "../../../lib/store/schedules/sync-schedules";
import { registerWorkflows } from "../../../lib/store/workers/workers";
import { anEngine } from "../../../lib/testing/workers/engine";
import type { Home } from "../home";
import { checkWorkflows } from "./check";

const engine = anEngine();
const input = z.object({ region: z.string() });

/** Of the workflows that are given, on the database of this file. */
const check = (given: App) => {
  const app = { ...given, workflows: [...given.workflows, same] };
  const { url } = engine.database;
  const home: Home = {
    env: readEnv({ NODE_ENV: "test" }),
    standby: null,
    migrateCommand: "npm run migrate",
    onDatabase: (work) => work({ databaseUrl: url, directUrl: url }),
    checkTables: async () => undefined,
    migrateMore: async () => [],
    loadApp: async () => app,
  };
  return checkWorkflows(home);
};
const brief = async (app: App) =>
  (await check(app)).findings.map(({ level, code, runs, message }) => ({ level, code, runs, message }));

/** Charges, and sleeps. */
const order = (name: string, version: number, more: Partial<WorkflowOptions<typeof input>> = {}, first = "charge") =>
  defineWorkflow({ name, version, input, ...more }, async (ctx) => {
    await ctx.step(first, async () => "done");
    await ctx.sleep("wait", "1h");
  });

const same = order("same", 1);
const daily = defineSchedule({ name: "same-daily", workflow: same, everyMs: 86_400_000, input: { region: "eu" } });

it("finds nothing where the code is the code that runs", async () => {
  await engine.runToRest(same, { region: "eu" });
  await syncSchedules(engine.db, [daily]);
  expect(await check({ workflows: [], schedules: [daily] })).toEqual({
    workflows: [{ name: "same", version: 1, drift: "stop", openRuns: 1 }],
    openRuns: 1,
    findings: [],
  });
});

it("names what workers could not register, and schedules that would start nothing", async () => {
  const nightly = order("nightly", 1);
  const every = (name: string, given: unknown, overlap: "skip" | "allow" = "skip") =>
    defineSchedule({ name, workflow: nightly, everyMs: 3_600_000, input: given as { region: string }, overlap });
  await syncSchedules(engine.db, [every("changed", { region: "eu" }), every("left", { region: "eu" })]);
  await engine.rows(`update handrail.schedule set override = '{"missed":"all"}' where name = 'changed'`);
  const orphan = defineSchedule({ name: "orphan", workflow: order("other", 1), everyMs: 1_000, input: { region: "" } });
  const schedules = [daily, every("wrong", { region: 7 }), every("changed", { region: "eu" }), orphan, orphan];
  expect(await brief({ workflows: [nightly, order("nightly", 1)], schedules })).toEqual(
    [
      ["breaks", "duplicate_workflow", /^Two workflows are version 1 of "nightly"/],
      ["breaks", "schedule_input", /^Schedule "wrong" starts no run any more: .*region/],
      [
        "breaks",
        "invalid_schedule",
        /^Schedule "changed", as an operator has changed it, contradicts itself: missed: "all"/,
      ],
      ["breaks", "invalid_schedule", /workflow "other", which this worker does not have/],
      ["breaks", "invalid_schedule", /workflow "other", which this worker does not have/],
      ["note", "schedule_gone", /^Schedule "left" is not in this code/],
    ].map(([level, code, message]) => ({ level, code, runs: 0, message: expect.stringMatching(message as RegExp) })),
  );
  await expect(registerWorkflows(engine.db, [nightly, order("nightly", 1)])).rejects.toThrow();
});

it("notes what goes on in another way: protections, limits, schemas", async () => {
  const strict = { masked: ["region"], fourEyes: ["waive" as const] };
  await registerWorkflows(engine.db, [order("guarded", 1, strict)]);
  const dated = defineWorkflow({ name: "dated", input: z.object({ on: z.date() }) }, async () => undefined);
  const schedules = [daily];
  const workflows = [
    order("guarded", 1, { masked: ["region"] }),
    order("guarded", 2, { concurrency: { limit: 1 } }),
    dated,
  ];
  expect(await brief({ workflows, schedules })).toEqual(
    [
      ["no_json_schema", /^A part of the input of "dated" has no JSON Schema \(Date/],
      ["older_limits", /^Version 1 of "guarded" has other limits than version 2/],
      ["kept_guards", /^Version 1 of "guarded" .*: the second person for waive\. It keeps that/],
      ["fewer_guards", /without the mask of region, the second person for waive/],
    ].map(([code, message]) => ({ level: "note", code, runs: 0, message: expect.stringMatching(message as RegExp) })),
  );
});

it("names runs that would stop or wait, those that are alike together, and calls no body", async () => {
  const before = order("shop", 2);
  const ids = [];
  for (const region of ["eu", "us"]) ids.push((await engine.runToRest(before, { region })).run.id);
  await engine.start(order("shop", 9), { region: "eu" });
  await engine.start(order("gone", 1), { region: "eu" });
  const ran: string[] = [];
  const after = (drift: "stop" | "go_on") =>
    defineWorkflow({ name: "shop", version: 3, input, drift }, async (ctx) => {
      await ctx.step("charge-card", () => void ran.push("charge-card"));
    });
  const { findings, openRuns } = await check({ workflows: [after("stop")], schedules: [daily] });
  expect(openRuns).toBe(5);
  expect(findings.map(({ level, code, runs }) => [level, code, runs])).toEqual([
    ["breaks", "drift", 2],
    ["breaks", "no_code", 1],
    ["breaks", "older_version", 1],
    ["note", "another_version", 2],
  ]);
  expect(findings[0]).toMatchObject({
    workflow: "shop",
    version: 3,
    runIds: ids.sort(),
    message:
      '2 open runs of "shop", started as version 2: version 3 does not reach "charge", which each has done, and would run "charge-card" next; each would stop there.',
  });
  const going = await check({ workflows: [after("go_on"), order("shop", 9), order("gone", 1)], schedules: [daily] });
  expect(going.findings.map(({ level, code }) => [level, code])).toEqual([["note", "another_version"]]);
  const declared = await check({ workflows: [after("go_on")] });
  expect(declared.findings.find(({ code }) => code === "drift")).toMatchObject({ level: "note", runs: 2 });
  expect(ran).toEqual([]);
});
