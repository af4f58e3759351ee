import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NO_LIMITS, type Queueing } from "../../engine/queues/queue";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { registerWorkflows } from "../../store/workers/workers";
import { registerGuarded } from "../../store/workflows/guards";
import { entriesReadBy } from "../../testing/database/entries-read";
import { aDesk } from "../../testing/desk";
import { copyRun } from "../../testing/rows/copy-run";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { readRun } from "../runs/reads";
import { changeLimits } from "./limits";
import { readWorkflow } from "./workflow-view";

const engine = anEngine();
const input = z.object({ key: z.string().default("") });
const byKey = ({ key }: z.infer<typeof input>) => key;
const reason = "the receiver asked for it";

describe("limits changed by an operator", () => {
  it("bind every worker at its next claim, up and down, and the code's come back", async () => {
    let inside = 0;
    let most = 0;
    const workflow = defineWorkflow(
      { name: "live-limits", input, concurrency: { limit: 1, key: byKey } },
      async (ctx) => {
        await ctx.step("work", async () => {
          most = Math.max(most, ++inside);
          await delay(15);
          inside--;
        });
      },
    );
    await engine.worker([workflow], { connections: 2 });
    await engine.worker([workflow], { connections: 2 });
    const change = (concurrency: number | null) =>
      changeLimits(aDesk(engine.db), { workflow: workflow.name, concurrency, rate: null, reason });
    const runs = async (count: number) => {
      most = 0;
      for (const id of await Promise.all(Array.from({ length: count }, () => engine.start(workflow))))
        await engine.untilEnded(id);
      return most;
    };
    expect(await runs(10)).toBe(1);
    expect(await change(4)).toMatchObject({
      limits: { concurrency: 1, keyed: true },
      liveLimits: { concurrency: 4, setBy: "operator" },
    });
    expect(await runs(40)).toBe(4);
    await change(2);
    expect(await runs(30)).toBe(2);
    expect(await change(null)).toMatchObject({ liveLimits: null });
    expect(await runs(10)).toBe(1);
    const audit = await engine.rows(
      "select act, reason, before, after from handrail.audit where workflow = $1 and result = 'done' order by id",
      [workflow.name],
    );
    expect(audit).toMatchObject([
      { act: "change_limits", reason, before: { limits: null }, after: { limits: { concurrency: 4, rate: null } } },
      { before: { limits: { concurrency: 4 } }, after: { limits: { concurrency: 2 } } },
      { before: { limits: { concurrency: 2 } }, after: { limits: { concurrency: null, rate: null } } },
    ]);
  });

  it("open queues that were closed under the old ones", async () => {
    const workflow = defineWorkflow(
      { name: "raised", input, rateLimit: { limit: 1, perMs: 3_600_000 } },
      async () => "done",
    );
    const [first, second] = [await engine.start(workflow), await engine.start(workflow)];
    await engine.worker([workflow]);
    await engine.untilEnded(first);
    await until("A closed queue", async () => (await readRun(engine.db, second)).queue?.opensAt);
    expect(await readRun(engine.db, second)).toMatchObject({
      status: "pending",
      summary: "Queued to start.",
      queue: { key: "", holding: 0, concurrency: null, rate: { limit: 1, perMs: 3_600_000 }, ahead: 0 },
    });
    await changeLimits(aDesk(engine.db), {
      workflow: workflow.name,
      concurrency: null,
      rate: { limit: 5, perMs: 1_000 },
      reason,
    });
    expect((await engine.untilEnded(second)).run.status).toBe("completed");
  });

  it("a window: what waits for it says so, and goes on at once in one that is open now", async () => {
    const [now] = await engine.rows<{ from: string; to: string }>(
      "select to_char(at + interval '2 hours', 'HH24:MI') as from, to_char(at + interval '3 hours', 'HH24:MI') as to from (select clock_timestamp() at time zone 'UTC' as at) as now",
    );
    const window = { ...(now as { from: string; to: string }), timeZone: "UTC" };
    const workflow = defineWorkflow({ name: "live-window", input, window }, async () => "done");
    const runId = await engine.start(workflow);
    await engine.worker([workflow]);
    await until("A closed queue", async () => (await readRun(engine.db, runId)).queue?.opensAt);
    expect((await readRun(engine.db, runId)).queue).toMatchObject({ heldBy: "window", window });
    const always = { from: "00:00", to: "24:00", timeZone: "Europe/Berlin" };
    const desk = aDesk(engine.db);
    expect(await changeLimits(desk, { workflow: workflow.name, window: always, reason })).toMatchObject({
      limits: { window },
      liveLimits: { window: always, concurrency: null },
    });
    expect((await engine.untilEnded(runId)).run.status).toBe("completed");
    expect(await changeLimits(desk, { workflow: workflow.name, reason })).toMatchObject({ liveLimits: null });
    const next = await engine.start(workflow);
    await until("A closed queue", async () => (await readRun(engine.db, next)).queue?.opensAt);
    const audit = await engine.rows("select before, after from handrail.audit where workflow = $1 order by id", [
      workflow.name,
    ]);
    expect(audit).toMatchObject([
      { before: { limits: null }, after: { limits: { window: always } } },
      { before: { limits: { window: always } }, after: { limits: { window: null } } },
    ]);
  });

  it("a window in a zone that the server does not know is refused, with the limits as they were; so is a worker's", async () => {
    const window = { from: "00:00", to: "24:00", timeZone: "UTC" };
    const workflow = defineWorkflow({ name: "zones", input, window }, async () => "done");
    await registerWorkflows(engine.db, [workflow]);
    const elsewhere = { ...window, timeZone: "Europe/Nowhere" };
    const asked = changeLimits(aDesk(engine.db), { workflow: workflow.name, window: elsewhere, reason });
    await expect(asked).rejects.toMatchObject({ code: "invalid_request", message: expect.stringContaining("Nowhere") });
    expect(await engine.rows("select from handrail.queue_limit where workflow = 'zones'")).toEqual([]);
    const registered = (workflows: Workflow[]) => engine.db.transaction((tx) => registerGuarded(tx, workflows, null));
    const unknown = {
      ...workflow,
      queueing: { ...(workflow.queueing as Queueing), limits: { ...NO_LIMITS, window: elsewhere } },
    };
    await expect(registered([unknown])).rejects.toMatchObject({ code: "invalid_workflow" });
    await engine.rows(
      "insert into handrail.queue_limit (workflow, set_by, window_from, window_to, window_zone) values ('zones', 'ada', '00:00', '24:00', 'Europe/Nowhere')",
    );
    await expect(registered([workflow])).rejects.toMatchObject({ code: "invalid_workflow" });
    await engine.rows("delete from handrail.queue_limit where workflow = 'zones'");
    expect(await registered([workflow])).toEqual([]);
  });

  it("are refused where the code declares none, and for an unknown workflow", async () => {
    const workflow = defineWorkflow({ name: "unlimited", input }, async () => "done");
    await registerWorkflows(engine.db, [workflow]);
    const ask = (name: string) =>
      changeLimits(aDesk(engine.db), { workflow: name, concurrency: 3, rate: null, reason });
    await expect(ask("unlimited")).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("declares no concurrency"),
    });
    await expect(ask("nobody")).rejects.toMatchObject({ code: "unknown_workflow" });
  });
});

it("a run says who holds its queue and how many go before it; a workflow its backlog", async () => {
  const workflow = defineWorkflow({ name: "places", input, concurrency: { limit: 2, key: byKey } }, async () => "done");
  await registerWorkflows(engine.db, [workflow]);
  const place = async (runId: string) => (await readRun(engine.db, runId)).queue?.ahead;
  const [first, second, urgent] = [
    await engine.start(workflow, { key: "a" }),
    await engine.start(workflow, { key: "a" }),
    await engine.start(workflow, { key: "a" }, { priority: 5 }),
  ];
  const other = await engine.start(workflow, { key: "b" });
  expect([await place(first), await place(second), await place(urgent), await place(other)]).toEqual([1, 2, 0, 0]);
  expect((await readRun(engine.db, second)).queue).toMatchObject({
    key: "a",
    holding: 0,
    concurrency: 2,
    rate: null,
    opensAt: null,
  });
  expect(await readWorkflow(engine.db, workflow.name)).toMatchObject({ backlog: 4, running: 0 });
});

it("a run's place in a long queue of two versions is read from the front of each", async () => {
  const workflow = (version: number) =>
    defineWorkflow({ name: "long-queue", version, input, concurrency: { limit: 2, key: byKey } }, async () => "done");
  for (const version of [1, 2]) await registerWorkflows(engine.db, [workflow(version)]);
  const first = await engine.start(workflow(1));
  const second = await engine.start(workflow(2));
  const urgent = await engine.start(workflow(2), {}, { priority: 5 });
  const behind = await copyRun(engine.database.pool, first, { count: 5_000, firstMs: Date.now() + 1_000 });
  await engine.rows("analyze handrail.run");

  const place = (runId: string) =>
    engine.db.transaction(async (tx) => {
      let ahead: number | undefined;
      const read = await entriesReadBy(tx, ["run"], async () => {
        ahead = (await readRun(tx, runId)).queue?.ahead;
      });
      expect(read).toBeLessThan(2_000);
      return ahead;
    });
  const asked = [urgent, first, second, behind[2], behind[4_999]] as string[];
  expect(await Promise.all(asked.map(place))).toEqual([0, 1, 2, 5, 1_000]);
});

it("a new version with other limits opens the queues that the old ones had closed", async () => {
  const workflow = (perMs: number) =>
    defineWorkflow({ name: "new-code", input, rateLimit: { limit: 1, perMs } }, async () => "done");
  const [first, second] = [await engine.start(workflow(3_600_000)), await engine.start(workflow(3_600_000))];
  const old = await engine.worker([workflow(3_600_000)]);
  await engine.untilEnded(first);
  await until("A closed queue", async () => (await readRun(engine.db, second)).queue?.opensAt);
  await old.stop();
  await engine.worker([workflow(10)]);
  expect((await engine.untilEnded(second)).run.status).toBe("completed");
});
