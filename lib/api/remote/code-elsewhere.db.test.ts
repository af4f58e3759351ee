import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { isHandrailError } from "../../engine/errors";
import { defineEvent } from "../../engine/events/event";
import { SEALED_PREFIX } from "../../engine/privacy/sealed";
import { defineSchedule } from "../../engine/schedules/schedule";
import { defineWorkflow, type Workflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import { registerWorker, registerWorkflows } from "../../store/workers/workers";
import { anApi } from "../../testing/api/api";
import { withPayloadKeys } from "../../testing/payload-keys";
import sampleApp from "../../testing/sample-app";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

/*
 * A console without any workflow, beside real workers that have them. What a start does there, it does here: runs, answers and
 * refusals are those of a console that has the code.
 */

const engine = anEngine();
const seal = withPayloadKeys();

let api: Awaited<ReturnType<typeof anApi>>;
beforeAll(async () => {
  process.env.DATABASE_URL = engine.database.url;
  process.env.HANDRAIL_LOG = "silent";
  api = await anApi({ ...sampleApp, workflows: [], schedules: [] });
});
afterAll(async () => {
  const { shutdown } = await import("../../shutdown");
  await shutdown();
});
afterEach(async () => {
  await until(
    "The end of every request",
    async () => (await engine.rows("select from handrail.code_request")).length === 0,
  );
});

const paid = defineEvent({ name: "order.paid", payload: z.object({ cents: z.int() }) });

/** Its input has a default and a transform, and its tags and queue come from the input. */
const anOrder = (name: string, version = 1) =>
  defineWorkflow(
    {
      name,
      version,
      input: z.strictObject({
        orderId: z.string().min(3),
        cents: z.string().transform(Number).default(100),
        due: z.date().optional(),
      }),
      tags: ({ orderId }) => ({ orderId }),
      concurrency: { limit: 1, key: ({ orderId }) => orderId },
      masked: ["secret"],
      events: [paid],
    },
    async (ctx) => ctx.waitForEvent("paid", { event: paid }),
  );

/** So that no worker runs them. */
const LATER = "2100-01-01T00:00:00.000Z";

const post = (path: string, body: object, headers?: Record<string, string>) =>
  api.ask("POST", path, { body, ...(headers && { headers }) });
const startIt = (workflow: string, input: unknown, more: object = {}) =>
  post("/v1/runs", { workflow, input, runAt: LATER, ...more });
const runsOf = (workflow: string) =>
  engine.rows("select * from handrail.run where workflow = $1 order by id", [workflow]);

/** What the same start is refused with where the code is. */
async function refusalHere(work: Promise<unknown>) {
  const error = await work.catch((refusal: unknown) => refusal);
  if (!isHandrailError(error)) throw new Error("The code refused nothing.");
  const { code, message, details } = error;
  return { code, message, details: JSON.parse(JSON.stringify(details)) };
}
const refusalOf = ({ body: { error } }: { body: { error: { requestId: string } } }) => {
  const { requestId: _, ...refusal } = error;
  return refusal;
};

/** A worker that is live by its lease and answers nothing. */
async function aFrozenWorker(workflow: Workflow) {
  await registerWorkflows(engine.db, [workflow]);
  const { name, version } = workflow;
  const id = await registerWorker(engine.db, {
    name: "frozen",
    workflows: [name],
    versions: { [name]: [version] },
    concurrency: 1,
    leaseMs: 3_600_000,
  });
  return () => engine.rows("update handrail.worker set stopped_at = clock_timestamp() where id = $1", [id]);
}

describe("a start", () => {
  it("has the defaults, transforms, tags and queue of the code, and the same idempotency", async () => {
    const order = anOrder("elsewhere-order");
    await engine.worker([order]);
    const started = await startIt(order.name, { orderId: "o-1" }, { idempotencyKey: "one", tags: { from: "shop" } });
    expect(started.status).toBe(201);
    const [run] = await runsOf(order.name);
    expect(run).toMatchObject({
      id: started.body.id,
      version: 1,
      queue_key: "o-1",
      tags: { orderId: "o-1", from: "shop" },
      due_at: new Date(LATER),
    });
    expect(JSON.parse((run as { input: string }).input)).toEqual({ orderId: "o-1", cents: 100 });

    const again = await startIt(order.name, { orderId: "o-1", cents: "100" }, { idempotencyKey: "one" });
    expect([again.status, again.body.id]).toEqual([200, started.body.id]);
    const other = await startIt(order.name, { orderId: "o-1", cents: "7" }, { idempotencyKey: "one" });
    expect([other.status, other.body.error.code]).toEqual([409, "idempotency_conflict"]);
    expect(await runsOf(order.name)).toHaveLength(1);
  });

  it("is refused as its workflow's singleton and throttle say", async () => {
    const limited = defineWorkflow(
      {
        name: "elsewhere-limited",
        input: z.object({ shop: z.string(), n: z.number() }),
        singleton: { key: ({ n }) => `${n}` },
        throttle: { limit: 2, perMs: 60_000, key: ({ shop }) => shop },
      },
      (ctx) => ctx.sleep("long", "1h"),
    );
    await engine.worker([limited]);
    const first = await startIt(limited.name, { shop: "a", n: 1 }, {});
    const beside = await startIt(limited.name, { shop: "a", n: 1 }, {});
    expect(beside).toMatchObject({
      status: 409,
      body: { error: { code: "singleton_conflict", details: { runId: first.body.id } } },
    });
    expect((await startIt(limited.name, { shop: "a", n: 2 }, {})).status).toBe(201);
    const third = await startIt(limited.name, { shop: "a", n: 3 }, {});
    expect(third).toMatchObject({
      status: 429,
      body: { error: { code: "throttled", details: { retryAfterMs: expect.any(Number) } } },
    });
    expect(await runsOf(limited.name)).toHaveLength(2);
  });

  it("repeated with its Idempotency-Key has the same answer", async () => {
    const order = anOrder("elsewhere-repeated");
    await engine.worker([order]);
    const body = { workflow: order.name, input: { orderId: "o-1" }, runAt: LATER };
    const key = { "idempotency-key": "elsewhere-repeated" };
    const [first, second] = [await post("/v1/runs", body, key), await post("/v1/runs", body, key)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await runsOf(order.name)).toHaveLength(1);
  });

  it("is refused with the same words and fields", async () => {
    const order = anOrder("elsewhere-refused");
    await engine.worker([order]);
    const here = codeHere([order]);
    const wrong = { orderId: "o", cents: 3, more: true };
    const refused = await startIt(order.name, wrong);
    expect(refused.status).toBe(422);
    expect(refusalOf(refused)).toEqual(await refusalHere(here.prepareStart(order.name, { input: wrong })));

    const tags = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`t${n}`, "x"]));
    const many = await startIt(order.name, { orderId: "o-1" }, { tags });
    const start = { input: { orderId: "o-1" }, options: { tags } };
    expect(refusalOf(many)).toEqual(await refusalHere(here.prepareStart(order.name, start)));
    expect(await runsOf(order.name)).toHaveLength(0);
  });

  it("of many is in one transaction, and its refusal names the start", async () => {
    const order = anOrder("elsewhere-many");
    await engine.worker([order]);
    const runs = Array.from({ length: 1_200 }, (_, n) => ({ input: { orderId: `o-${n}` }, runAt: LATER }));
    const wrong = runs.map((run, n) => (n === 1_100 ? { ...run, input: { orderId: "o" } } : run));
    const refused = await post("/v1/runs/batch", { workflow: order.name, runs: wrong });
    const given = wrong.map(({ input }) => ({ input, options: { runAt: new Date(LATER) } }));
    expect(refusalOf(refused)).toEqual(await refusalHere(codeHere([order]).prepareStarts(order.name, given)));
    expect(refused.body.error.details.index).toBe(1_100);
    expect(await runsOf(order.name)).toHaveLength(0);

    const { status, body } = await post("/v1/runs/batch", { workflow: order.name, runs });
    expect([status, body.runs.length]).toEqual([201, 1_200]);
    const rows = await runsOf(order.name);
    const tagOf = new Map(rows.map(({ id, tags }) => [id, (tags as { orderId: string }).orderId]));
    expect(body.runs.map(({ id }: { id: string }) => tagOf.get(id))).toEqual(runs.map(({ input }) => input.orderId));
  });

  it("of a workflow that no worker ever had, or of Handrail's own, is of an unknown one", async () => {
    for (const name of ["elsewhere-nowhere", "handrail.operation"])
      expect(refusalOf(await startIt(name, {}))).toMatchObject({ code: "unknown_workflow" });
  });

  it("an error in the code is one of the server, without its words", async () => {
    const broken = defineWorkflow(
      {
        name: "elsewhere-broken",
        input: z.unknown(),
        tags: () => {
          throw new TypeError("a password");
        },
      },
      async () => null,
    );
    await engine.worker([broken]);
    const { status, body } = await startIt(broken.name, {});
    expect([status, body.error.code]).toEqual([500, "internal"]);
    expect(JSON.stringify(body)).not.toContain("a password");
  });
});

describe("workers come and go", () => {
  it("without a live worker it is refused at once, and goes on with the first one that comes", async () => {
    const order = anOrder("elsewhere-later");
    const first = await engine.worker([order]);
    await first.stop();
    const refused = await startIt(order.name, { orderId: "o-1" });
    expect(refused.status).toBe(503);
    expect(refusalOf(refused)).toMatchObject({ code: "unavailable", message: /Start a worker that has it/ });
    await engine.worker([order]);
    expect((await startIt(order.name, { orderId: "o-1" })).status).toBe(201);
  });

  it("a worker that comes while a start waits answers it", async () => {
    const order = anOrder("elsewhere-waiting");
    const thaw = await aFrozenWorker(order);
    const starting = startIt(order.name, { orderId: "o-1" });
    await until("The request", async () => (await engine.rows("select from handrail.code_request")).length > 0);
    await engine.worker([order]);
    expect((await starting).status).toBe(201);
    await thaw();
  });

  it("without an answer it is withdrawn, and starts nothing later", async () => {
    const order = anOrder("elsewhere-silent");
    const thaw = await aFrozenWorker(order);
    const refused = await startIt(order.name, { orderId: "o-1" });
    expect(refused.status).toBe(503);
    expect(refusalOf(refused)).toMatchObject({ code: "unavailable", message: /has answered within 4 s/ });
    await until("Its withdrawal", async () => (await engine.rows("select from handrail.code_request")).length === 0);
    await engine.worker([order]);
    expect((await startIt(order.name, { orderId: "o-2" })).status).toBe(201);
    expect((await runsOf(order.name)).map(({ tags }) => tags)).toEqual([{ orderId: "o-2" }]);
    await thaw();
  });

  it("the newest version that a live worker has prepares it", async () => {
    const [one, two] = [anOrder("elsewhere-versions", 1), anOrder("elsewhere-versions", 2)];
    await engine.worker([one]);
    const newer = await engine.worker([two]);
    for (let n = 0; n < 5; n++) expect((await startIt(one.name, { orderId: `o-${n}` })).body.version).toBe(2);
    await newer.stop();
    expect((await startIt(one.name, { orderId: "o-9" })).body.version).toBe(1);
  });

  it("two that race for sixty starts start sixty runs", async () => {
    const order = anOrder("elsewhere-race");
    await engine.worker([order]);
    await engine.worker([order]);
    const starts = Array.from({ length: 60 }, (_, n) => startIt(order.name, { orderId: `o-${n}` }));
    expect((await Promise.all(starts)).map(({ status }) => status)).toEqual(Array(60).fill(201));
    expect(new Set((await runsOf(order.name)).map(({ queue_key }) => queue_key)).size).toBe(60);
  });

  it("workers delete what was asked by a console that is gone", async () => {
    const order = anOrder("elsewhere-orphan");
    await engine.rows(
      "insert into handrail.code_request values (gen_random_uuid(), 'gone', 1, '{}', null, null, clock_timestamp() - interval '1 s')",
    );
    await engine.worker([order]);
    await until("Its deletion", async () => (await engine.rows("select from handrail.code_request")).length === 0);
  });
});

it("what is asked of a worker is sealed while it waits", async () => {
  const order = anOrder("elsewhere-sealed");
  const thaw = await aFrozenWorker(order);
  seal("one");
  const starting = startIt(order.name, { orderId: "canary-4242" });
  const [row] = await until("The request", async () => {
    const rows = await engine.rows<{ request: string }>("select * from handrail.code_request");
    return rows.length > 0 && rows;
  });
  expect(row?.request.startsWith(SEALED_PREFIX)).toBe(true);
  expect(JSON.stringify(row)).not.toContain("canary-4242");
  await engine.worker([order]);
  expect((await starting).body.input).toEqual({ orderId: "canary-4242", cents: 100 });
  await thaw();
});

it("an event's payload is checked by the code of a live worker, and kept unchecked where none lives", async () => {
  const order = anOrder("elsewhere-events");
  const worker = await engine.worker([order]);
  const here = codeHere([order]);
  const wrong = await post("/v1/events", { name: "order.paid", key: "k", payload: { cents: "1" } });
  expect(wrong.status).toBe(422);
  expect(refusalOf(wrong)).toEqual(await refusalHere(here.checkPayload("order.paid", { cents: "1" })));
  expect((await post("/v1/events", { name: "order.paid", key: "k", payload: { cents: 1 } })).status).toBe(202);

  const { body: run } = await startIt(order.name, { orderId: "o-1" });
  const toRun = await post(`/v1/runs/${run.id}/events`, { name: "order.paid", payload: { cents: null } });
  expect(refusalOf(toRun)).toEqual(await refusalHere(here.checkPayload("order.paid", { cents: null })));

  await worker.stop();
  expect((await post("/v1/events", { name: "order.paid", key: "k", payload: { cents: "1" } })).status).toBe(202);
});

it("schedules are run now, filled and edited", async () => {
  const order = anOrder("elsewhere-daily");
  const schedule = defineSchedule({ name: "daily", workflow: order, everyMs: 86_400_000, input: { orderId: "day" } });
  await engine.worker([order], { schedules: [schedule] });
  const reason = "it is time";
  const fired = await post("/v1/schedules/daily/firings", { reason });
  expect([fired.status, fired.body.runIds.length]).toEqual([202, 1]);
  expect((await runsOf(order.name))[0]).toMatchObject({
    schedule: "daily",
    tags: { schedule: "daily", orderId: "day" },
  });

  const edit = (input: unknown) => api.ask("PUT", "/v1/schedules/daily/override", { body: { reason, input } });
  expect((await edit({ orderId: "x" })).body.error).toMatchObject({ code: "invalid_input" });
  expect((await edit({ orderId: "edited" })).status).toBe(200);
  expect((await post("/v1/schedules/daily/firings", { reason })).status).toBe(202);
  expect((await runsOf(order.name)).at(-1)).toMatchObject({ queue_key: "edited" });
});

it("a new run in the place of an old one is prepared by a worker, too", async () => {
  const order = anOrder("elsewhere-again");
  await engine.worker([order]);
  const { body: old } = await startIt(order.name, { orderId: "o-1" });
  await post(`/v1/runs/${old.id}/cancellation`, { reason: "wrong order" });
  const act = { act: "start_again", params: { input: { orderId: "o-2", cents: "5" } } };
  const { body: plan } = await post("/v1/plans", { ...act, selection: { runIds: [old.id] } });
  const execution = { hash: plan.hash, reason: "the right order" };
  const { status, body } = await post(`/v1/plans/${plan.id}/executions`, execution);
  expect([status, body.item?.outcome]).toEqual([200, "done"]);
  expect(await runsOf(order.name)).toHaveLength(2);
});

it("the console lists what workers registered, with the parts of an input that JSON Schema can describe", async () => {
  const order = anOrder("elsewhere-listed");
  await engine.worker([order]);
  const { body } = await api.ask("GET", "/v1/workflows");
  const [listed] = body.workflows.filter(({ name }: { name: string }) => name === order.name);
  expect(listed).toMatchObject({
    version: 1,
    workers: 1,
    inputSchema: { properties: { orderId: { minLength: 3 }, due: {} } },
  });
});
