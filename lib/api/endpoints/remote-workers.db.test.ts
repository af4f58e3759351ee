import { describe, expect, it } from "vitest";
import { z } from "zod";
import { appServices } from "../../../demo/services/app-services";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { poolDb } from "../../store/db";
import { untilRun } from "../../testing/database/history";
import { start, startWorker } from "../../testing/workers/a-worker";
import { aRemoteScene } from "../../testing/workers/remote-worker";
import { checkVersions } from "../../worker/versions/check-versions";

const scene = aRemoteScene();

describe("a workflow in another language", () => {
  it("starts runs once registered, with its tags and its input checked, and is on the pages", async () => {
    const name = scene.name();
    const properties = { town: { type: "string" }, id: { type: "string" } };
    const inputSchema = { type: "object", properties, required: ["id"] };
    const worker = await scene.worker(
      [{ name, version: 3, title: "Order from Python", inputSchema, tags: { order: "/id", other: "/no" } }],
      { language: "Python 3.12", name: "shop-1/4711" },
    );
    const refused = await scene.api.ask("POST", "/v1/runs", { body: { workflow: name, input: { id: 7 } } });
    expect([refused.status, refused.body.error.code]).toEqual([422, "invalid_input"]);
    const { body: run } = await scene.api.ask("POST", "/v1/runs", { body: { workflow: name, input: { id: "A-1" } } });
    expect(run).toMatchObject({ version: 3, tags: { order: "A-1" }, title: "Order from Python", status: "pending" });
    const { body } = await scene.api.ask("GET", "/v1/workflows");
    const shown = body.workflows.find((workflow: { name: string }) => workflow.name === name);
    expect(shown).toMatchObject({ version: 3, inputSchema, language: "Python 3.12", workers: 1 });
    expect(Object.keys(shown.inputSchema.properties), "in the order in which they were written").toEqual([
      "town",
      "id",
    ]);
    const { body: all } = await scene.api.ask("GET", "/v1/workers");
    const me = all.workers.find(({ id }: { id: string }) => id === worker.id);
    expect(me).toMatchObject({ name: "shop-1/4711", language: "Python 3.12", status: "live", workflows: [name] });
  });

  it("cannot take a name that this code has", async () => {
    const name = scene.name();
    const workflow = defineWorkflow({ name, input: z.unknown() }, async () => 1);
    const node = await startWorker(scene.database, [workflow]);
    await expect(scene.worker([{ name }])).rejects.toMatchObject({ code: "not_allowed" });
    await node.stop();
  });

  it("is refused where it makes no sense, before anything is written", async () => {
    const refusal = async (workflow: object, more = {}) => {
      const body = { name: "x/1", language: "Test 1", workflows: [workflow], ...more };
      const answer = await scene.api.ask("POST", "/v1/worker/registrations", { body });
      return [answer.status, answer.body.error?.code];
    };
    expect(await refusal({ name: "Not A Name" })).toEqual([422, "invalid_workflow"]);
    expect(await refusal({ name: "a", tags: { id: "id" } })).toEqual([422, "invalid_input"]);
    expect(await refusal({ name: "a", retry: { maxAttempts: 0 } })).toEqual([422, "invalid_input"]);
    expect(await refusal({ name: "a", inputSchema: { type: "nonsense" } })).toEqual([422, "invalid_workflow"]);
    expect(await refusal({ name: "a" }, { leaseMs: 999 })).toEqual([422, "invalid_input"]);
    expect(await refusal({ name: "a" }, { leaseMs: 600_001 })).toEqual([422, "invalid_input"]);
    expect(await refusal({ name: "a" }, { workflows: [{ name: "a" }, { name: "a" }] })).toEqual([
      422,
      "invalid_workflow",
    ]);
    const limits = { concurrency: { limit: 1, key: "/a" }, rateLimit: { limit: 1, perMs: 10, key: "/b" } };
    expect(await refusal({ name: "a", ...limits })).toEqual([422, "invalid_workflow"]);
    const { rows } = await scene.database.pool.query("select from handrail.workflow where name in ('a', 'Not A Name')");
    expect(rows).toEqual([]);
  });

  it("is claimed by a worker that has the run's version, never by one that has an older one", async () => {
    const name = scene.name();
    const definition = (version: number) => ({ name, version });
    const first = await scene.worker([definition(1)]);
    const begunWith1 = await scene.start(name);
    const both = await scene.worker([definition(1), definition(2)]);
    const begunWith2 = await scene.start(name);
    expect(await both.claims({ limit: 2 })).toMatchObject([
      { id: begunWith1, version: 1, codeVersion: 1 },
      { id: begunWith2, version: 2, codeVersion: 2 },
    ]);
    const third = await scene.start(name);
    expect(await first.claims()).toEqual([]);
    expect(await both.claims()).toMatchObject([{ id: third, version: 2, codeVersion: 2 }]);
    const fourth = await scene.start(name);
    await scene.database.pool.query("update handrail.run set version = 1 where id = $1", [fourth]);
    const second = await scene.worker([definition(2)]);
    expect(await second.claims()).toEqual([]);
    expect(await first.claims()).toMatchObject([{ id: fourth, version: 1, codeVersion: 1 }]);
  });

  it("is not missed where versions are checked against the code at hand", async () => {
    const { runId } = await scene.claim();
    const { misfits } = await checkVersions(poolDb(scene.database.pool), [], appServices);
    expect(misfits.map((misfit) => misfit.runId)).not.toContain(runId);
  });

  it("is left alone by workers of this code, and theirs by its worker", async () => {
    const code = defineWorkflow({ name: scene.name(), input: z.unknown() }, async () => "from here");
    const { name, worker, claim } = await scene.claim();
    await claim.complete();
    const [remoteRun, ownRun] = [await scene.start(name), await start(poolDb(scene.database.pool), code)];
    expect(await worker.claims({ limit: 10 })).toMatchObject([{ id: remoteRun }]);
    const node = await startWorker(scene.database, [code]);
    await untilRun(scene.database.pool, ownRun, ({ run }) => run.status === "completed");
    expect((await scene.history(remoteRun)).run.worker_id).toBe(Number(worker.id));
    await node.stop();
  });

  it("may have limits: its runs wait in queues by a key from their input", async () => {
    const { name, worker, claim } = await scene.claim({
      workflow: { concurrency: { limit: 1, key: "/shop" } },
      input: { shop: "a" },
    });
    const second = await scene.start(name, { shop: "a" });
    const other = await scene.start(name, { shop: "b" });
    expect(await worker.claims({ limit: 10 })).toMatchObject([{ id: other }]);
    expect(await worker.claims({ limit: 10 })).toEqual([]);
    await claim.complete();
    expect(await worker.claims({ limit: 10, waitMs: 20_000 })).toMatchObject([{ id: second }]);
  });
});
