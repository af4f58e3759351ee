import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { HIDDEN } from "../../engine/privacy/hidden-text";
import { MASKED } from "../../engine/privacy/mask";
import { poolDb } from "../../store/db";
import { anApiWithSignIn, bearer } from "../../testing/api/with-sign-in";
import { aRun } from "../../testing/rows/a-run";
import { CANARY, plantCanaries } from "../../testing/scenes/canary-scene";
import { foldAll } from "../../worker/duties/problem-loop";
import type { Endpoint } from "../endpoint";
import * as endpoints from "../endpoints";
import { maskAnswer } from "./mask-answer";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let runs: Awaited<ReturnType<typeof plantCanaries>>;
let [viewer, operator, reader] = ["", "", ""];
const made = { planId: "", operationId: "", problemId: "" };
const reason = "they asked about it";

beforeAll(async () => {
  api = await anApiWithSignIn();
  const { pool } = api.database;
  runs = await plantCanaries(poolDb(pool), (text, values) => pool.query(text, values));
  await foldAll(poolDb(pool), () => false);
  const held = "select problem_id from handrail.problem_run where run_id = $1";
  made.problemId = (await pool.query(held, [runs.failed])).rows[0].problem_id;
  [viewer, operator, reader] = [
    await api.mint(["viewer", "system.read"]),
    await api.mint(["operator", "access.manage", "sandbox.change"]),
    await api.mint(["operator", "payload.read"]),
  ];
  const plan = { act: "rerun", params: {}, selection: { runIds: [runs.failed, runs.compensating] } };
  const { body } = await api.as(operator, "POST", "/v1/plans", { body: plan });
  made.planId = body.id;
  const execution = { body: { hash: body.hash, reason: "a test" } };
  made.operationId = (await api.as(operator, "POST", `/v1/plans/${body.id}/executions`, execution)).body.id;
});
afterAll(() => api.close());

const ALL = Object.values(endpoints) as Endpoint[];
/**
 * Answers without data of runs: the caller, this document, probes, other consoles, the demo's sandbox. Values in a blob store are tried in
 * lib/api/http/large-values.db.test.ts: there is none here.
 */
const WITHOUT_RUNS =
  /^\/v1\/(openapi|session|people|tokens|destinations|alerts|alert-preview|cells|sandbox)|^\/health|\{runId\}\/value$/;

function addressesOf({ path }: Endpoint): string[] {
  const filled = path
    .replace("{planId}", made.planId)
    .replace("{operationId}", made.operationId)
    .replace("{problemId}", made.problemId)
    .replace("published/{name}", "published/receipt")
    .replace("{name}", "guarded-daily")
    .replace("{workflow}", "guarded")
    .replace(/search$/, `search?q=${CANARY}`)
    .replace(/backfills$/, "backfills?from=2026-01-01T00:00:00Z&to=2026-01-03T00:00:00Z");
  const stepOf = (run: string) => (run === "asking" ? "ask" : "create-order");
  const ofRuns = filled.includes("{runId}")
    ? Object.entries(runs)
        // It waits for its first step, and has published nothing.
        .filter(([run]) => run !== "asking" || !path.includes("published"))
        // An id is the same in capitals.
        .flatMap(([run, id]) =>
          [id, id.toUpperCase()].map((as) => filled.replace("{runId}", as).replace("{step}", stepOf(run))),
        )
    : [filled];
  return /\/(export|report)$/.test(path)
    ? ofRuns.flatMap((one) => [`${one}?format=csv`, `${one}?format=ndjson`])
    : ofRuns;
}

async function textOf(method: string, address: string, token: string, body?: unknown): Promise<string> {
  const abort = new AbortController();
  const asked = { headers: bearer(token), signal: abort.signal, ...(body !== undefined && { body }) };
  const response = await api.send(method, address, asked);
  if (!response.headers.get("content-type")?.includes("event-stream"))
    return `${response.status} ${await response.text()}`;
  const stream = (response.body as ReadableStream<Uint8Array>).getReader();
  const first = stream.read();
  await api.database.pool.query("select pg_notify('handrail_change', $1)", [runs.failed]);
  const { value } = await first;
  abort.abort();
  return new TextDecoder().decode(value);
}

describe("a value in a masked field", () => {
  it("is in no answer of any GET, export or stream, for any caller", async () => {
    const answered: string[] = [];
    const wrong: string[] = [];
    for (const endpoint of ALL.filter(({ method, path }) => method === "GET" && !WITHOUT_RUNS.test(path)))
      for (const address of addressesOf(endpoint))
        for (const token of [viewer, operator, reader]) {
          const text = await textOf("GET", address, token);
          answered.push(address);
          if (text.toLowerCase().includes(CANARY)) wrong.push(`${address}: ${around(text)}`);
          if (token === operator && !/^(200|202) |^:|^event|^retry/.test(text))
            wrong.push(`${address}: ${text.slice(0, 200)}`);
        }
    expect(wrong).toEqual([]);
    process.stdout.write(`masking: ${answered.length} answers of GET searched\n`);
  });

  it("is in no answer of an action", async () => {
    const wrong: string[] = [];
    for (const [address, body] of [
      [`/v1/runs/${runs.failed}/reruns`, { reason }],
      [`/v1/runs/${runs.failed}/cancellation`, { reason }],
      ["/v1/schedules/guarded-daily/pause", { reason: "a test" }],
      ["/v1/plans", { act: "cancel", params: {}, selection: { filter: { workflow: ["guarded"] } } }],
      ["/v1/runs", { workflow: "guarded", input: { card: { number: CANARY } } }],
      [`/v1/runs/${runs.asking}/approvals/ask/answer`, { choice: "no such choice" }],
      [`/v1/runs/${runs.asking.toUpperCase()}/approvals/ask/answer`, { choice: "no such choice" }],
    ] as const) {
      const text = await textOf("POST", address, operator, body);
      if (text.toLowerCase().includes(CANARY)) wrong.push(`${address}: ${around(text)}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("where not all of a run can be searched", () => {
  const texts = async (workflow: string) => {
    const { runs: shown } = (await api.as(viewer, "GET", `/v1/runs?workflow=${workflow}`)).body;
    return shown.map(({ error }: { error: { message: string } | null }) => error?.message);
  };

  it("lists show no text of it, but show one of a workflow that masks nothing", async () => {
    const { pool } = api.database;
    const db = poolDb(pool);
    await pool.query(
      "insert into handrail.workflow (name, version, title, masked) values ('large', 1, 'Large', '{pin}'), ('plain', 1, 'Plain', '{}')",
    );
    const output = JSON.stringify("x".repeat(300_000));
    for (const workflow of ["large", "plain"]) {
      const run = await aRun(db, { workflow }).failedAt("charge-payment");
      await pool.query("update handrail.step set output = $2 where run_id = $1 and status = 'completed'", [
        run,
        output,
      ]);
      await aRun(db, { workflow }).failedAt("charge-payment");
    }
    expect(await texts("large")).toEqual(["connect ECONNREFUSED 127.0.0.1:3001", HIDDEN]);
    expect(await texts("plain")).not.toContain(HIDDEN);
  });

  it("nor when it is not there any more", async () => {
    const [gone, there] = [uuidv7(), runs.failed];
    const answer = {
      rows: [gone, there].map((runId) => ({ runId, workflow: "guarded", reason: "a customer's name" })),
    };
    const schema = z.object({ rows: z.array(z.object({ runId: z.uuid(), workflow: z.string(), reason: z.string() })) });
    const { rows } = await maskAnswer(poolDb(api.database.pool), schema, answer, { sees: false });
    expect(rows.map(({ reason }) => reason)).toEqual([HIDDEN, "a customer's name"]);
  });
});

describe("a search", () => {
  const found = async (token: string, query: string) => {
    const list = (await api.as(token, "GET", `/v1/runs?${query}`)).body.runs.length;
    const { byStatus } = (await api.as(token, "GET", `/v1/runs/counts?${query}`)).body;
    const counted = Object.values<number>(byStatus).reduce((sum, count) => sum + count, 0);
    return [list, counted];
  };

  it("finds nothing by a masked value, except for callers who may see it", async () => {
    expect(await found(viewer, `q=key-${CANARY}`)).toEqual([0, 0]);
    expect(await found(reader, `q=key-${CANARY}`)).toEqual([1, 1]);
  });

  it("of a log finds what is shown", async () => {
    const lines = async (token: string, q: string) =>
      (await api.as(token, "GET", `/v1/runs/${runs.failed}/logs?q=${q}`)).body.lines.length;
    expect([await lines(viewer, "canary"), await lines(viewer, "said")]).toEqual([0, 1]);
    expect(await lines(reader, "canary")).toBe(1);
  });
});

describe("unmasking", () => {
  const unmask = (token: string, headers: Record<string, string> = {}) =>
    api.as(token, "POST", `/v1/runs/${runs.failed}/unmasking`, { body: { reason: "the customer called" }, headers });

  it("shows the run in full, with a row in the audit that names the fields, each time", async () => {
    const { status, body, headers } = await unmask(reader, { "idempotency-key": "look-1" });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(body.input.card.number).toBe(CANARY);
    expect(JSON.stringify(body)).toContain(`cause: ${CANARY}`);
    await unmask(reader, { "idempotency-key": "look-1" });
    const { rows } = await api.database.pool.query(
      `select actor, workflow, reason, result, "after" -> 'fields' as fields from handrail.audit where act = 'unmask'`,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ actor: "operator payload.read", workflow: "guarded", result: "done" });
    expect(rows[0].fields).toEqual(
      expect.arrayContaining(["input.card.number", "input.password", "events.paid.password"]),
    );
    const { rows: kept } = await api.database.pool.query("select key from handrail.request where key = 'look-1'");
    expect(kept).toEqual([]);
  });

  it("is refused to all others, with a row in the audit", async () => {
    expect(await unmask(operator)).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
    const { rows } = await api.database.pool.query(
      `select result, run_id from handrail.audit where act = 'unmask' and result <> 'done'`,
    );
    expect(rows).toEqual([{ result: "denied", run_id: runs.failed }]);
  });
});

it("only endpoints of workers that own runs, and unmasking, answer unmasked", () => {
  const clear = ALL.filter(({ masked }) => !masked).map(({ action, path }) => `${action} ${path}`);
  expect(clear.filter((one) => !one.startsWith("worker.work "))).toEqual(["payload.read /v1/runs/{runId}/unmasking"]);
});

const around = (text: string) => {
  const at = text.toLowerCase().indexOf(CANARY);
  return text.slice(Math.max(0, at - 120), at + 40);
};

it("a person who does not see all of an input starts a run again with an edited one, which no answer shows", async () => {
  const shown = (await api.as(operator, "GET", `/v1/runs/${runs.failed}`)).body.input;
  const edited = { ...shown, amount: 5 };
  const plan = { act: "start_again", params: { input: edited }, selection: { runIds: [runs.failed] } };
  const made = (await api.as(operator, "POST", "/v1/plans", { body: plan })).body;
  expect(made.params).toEqual({ input: MASKED });
  const { rows } = await api.database.pool.query("select params from handrail.plan where id = $1", [made.id]);
  expect(rows[0].params.input).toMatchObject({ card: { number: CANARY }, amount: 5 });
  const moved = { ...plan, params: { input: { elsewhere: shown.card.number } } };
  expect(await api.as(operator, "POST", "/v1/plans", { body: moved })).toMatchObject({
    status: 422,
    body: { error: { code: "invalid_input" } },
  });
});

it("a run whose data was erased shows no text that had a masked value, as before", async () => {
  const admin = await api.mint(["admin"]);
  const erased = await api.as(admin, "POST", `/v1/runs/${runs.failed}/erasure`, { body: { reason } });
  expect(erased.status).toBe(202);
  const read = await textOf("GET", `/v1/runs/${runs.failed}`, viewer);
  expect(read).toContain(`"id":"${runs.failed}"`);
  expect(read.toLowerCase()).not.toContain(CANARY);
});
