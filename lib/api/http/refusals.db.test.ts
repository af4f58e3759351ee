import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Db, poolDb } from "../../store/db";
import { type Asking, anApi } from "../../testing/api/api";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aRun } from "../../testing/rows/a-run";
import { errorResponse } from "../contract/responses";

let database: TestDatabase;
let db: Db;
let api: Awaited<ReturnType<typeof anApi>>;
beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  process.env.HANDRAIL_LOG = "silent";
  db = poolDb(database.pool);
  api = await anApi();
});
afterAll(async () => {
  const { shutdown } = await import("../../shutdown");
  await shutdown();
  await database.drop();
});

/** Sends a request and expects a refusal in the one shape of errors. */
async function refused(method: string, path: string, asking: Asking = {}) {
  const answer = await api.ask(method, path, asking);
  const { error } = errorResponse.parse(answer.body);
  expect(error.requestId).toBe(answer.headers.get("x-request-id"));
  expect(error.message.length).toBeGreaterThan(10);
  expect(JSON.stringify(answer.body)).not.toMatch(/handrail\.(run|step)|node_modules|\.ts:\d|select |at Object/);
  return {
    status: answer.status,
    code: error.code,
    message: error.message,
    details: error.details,
    headers: answer.headers,
  };
}

const start = (input: unknown) => ({ body: { workflow: "order-fulfilment", input } });
const input = { orderId: "A-1", amountCents: 4200, email: "ada@example.com" };
const reason = "because";
const nobody = "01890000-0000-7000-8000-000000000000";

describe("what does not exist", () => {
  it.each([
    ["GET", "/v1/nothing", 404, "not_found"],
    ["POST", "/v2/runs", 404, "not_found"],
    ["GET", `/v1/runs/${nobody}`, 404, "unknown_run"],
    ["GET", `/v1/runs/${nobody}/result?waitMs=10`, 404, "unknown_run"],
    ["GET", "/v1/runs/not-a-uuid", 400, "invalid_request"],
    ["GET", "/v1/runs/%ff", 400, "invalid_request"],
    ["DELETE", "/v1/runs", 405, "method_not_allowed"],
  ])("%s %s", async (method, path, status, code) => {
    expect(await refused(method, path)).toMatchObject({ status, code });
  });

  it("says which methods a path has", async () => {
    const { headers } = await refused("PATCH", "/v1/runs");
    expect(headers.get("allow")).toBe("GET,POST");
  });

  it("names the workflows there are when one is unknown", async () => {
    const answer = await refused("POST", "/v1/runs", { body: { workflow: "nope", input: {} } });
    expect(answer).toMatchObject({ status: 404, code: "unknown_workflow" });
    expect(answer.details.workflows).toContain("order-fulfilment");
  });

  it("names the step that a run does not have", async () => {
    const runId = await aRun(db).waitingUnknown("charge-payment");
    const path = `/v1/runs/${runId}/steps/nope/resolution`;
    expect(await refused("POST", path, { body: { outcome: "skip", reason } })).toMatchObject({
      status: 404,
      code: "unknown_step",
    });
  });
});

describe("bodies", () => {
  it("of another type than JSON are not read", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "", "application/json-seq", "text/json"])
      expect(await refused("POST", "/v1/runs", { body: "{}", headers: { "content-type": type } })).toMatchObject({
        status: 415,
        code: "unsupported_media_type",
      });
  });

  it("that are not JSON, or none at all", async () => {
    for (const body of ["", "{", "nonsense", "{'a':1}"])
      expect(await refused("POST", "/v1/runs", { body })).toMatchObject({ status: 400, code: "invalid_request" });
  });

  it("over the limit are refused before they are parsed, whatever their length says", async () => {
    const large = JSON.stringify({ reason: "x".repeat(300_000) });
    expect(await refused("POST", `/v1/runs/${nobody}/cancellation`, { body: large })).toMatchObject({
      status: 413,
      code: "body_too_large",
    });
    const tooLargeAStart = JSON.stringify(start({ ...input, orderId: "x".repeat(2_200_000) }).body);
    expect(await refused("POST", "/v1/runs", { body: tooLargeAStart })).toMatchObject({ status: 413 });
    const honest = { "content-length": "99999999" };
    expect(await refused("POST", "/v1/runs", { body: "{}", headers: honest })).toMatchObject({ status: 413 });
  });

  it("nested without end are refused", async () => {
    const deep = `{"workflow":"order-fulfilment","input":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(await refused("POST", "/v1/runs", { body: deep })).toMatchObject({ status: 400, code: "invalid_request" });
  });

  it("that do not fit say where", async () => {
    const answer = await refused("POST", `/v1/runs/${nobody}/reruns`, {
      body: { reason: " ", fromStep: 1, extra: true },
    });
    expect(answer).toMatchObject({ status: 422, code: "invalid_input" });
    expect(answer.details.issues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: ["reason"] }),
        expect.objectContaining({ path: ["fromStep"] }),
        expect.objectContaining({ message: expect.stringContaining("extra") }),
      ]),
    );
  });

  it("whose input does not fit the workflow say where", async () => {
    const answer = await refused("POST", "/v1/runs", start({ ...input, amountCents: -1, email: "nobody" }));
    expect(answer).toMatchObject({ status: 422, code: "invalid_input" });
    expect(answer.details.issues).toEqual([
      expect.objectContaining({ path: ["amountCents"] }),
      expect.objectContaining({ path: ["email"] }),
    ]);
  });

  it("with an array, a string or null where an object belongs", async () => {
    for (const body of ["[]", '"text"', "null", "1", "true"])
      expect(await refused("POST", "/v1/runs", { body })).toMatchObject({ status: 422, code: "invalid_input" });
  });

  it("with NUL or half a character in text that Postgres has to keep", async () => {
    const runId = await aRun(db).pending();
    for (const text of ["\0", "\ud800"])
      expect(await refused("POST", `/v1/runs/${runId}/cancellation`, { body: { reason: `a${text}b` } })).toMatchObject({
        status: 422,
      });
    expect(await refused("POST", "/v1/runs", { body: { ...start(input).body, tags: { a: "\0" } } })).toMatchObject({
      status: 422,
    });
  });

  it("with tagged values that have no meaning", async () => {
    for (const value of [
      { $type: "bigint", value: "x" },
      { $type: "nope" },
      { $type: "Set", value: 5 },
      { $type: "URL", value: ":" },
    ])
      expect(await refused("POST", "/v1/runs", start({ ...input, orderId: value }))).toMatchObject({
        status: 422,
        code: "invalid_input",
      });
  });

  it("with hostile keys change nothing but themselves", async () => {
    const body = `{"workflow":"order-fulfilment","input":{"orderId":"P-1","amountCents":1,"email":"a@b.co","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}`;
    expect((await api.ask("POST", "/v1/runs", { body })).status).toBe(201);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("queries", () => {
  it.each([
    "/v1/runs?status=nope",
    "/v1/runs?limit=0",
    "/v1/runs?limit=201",
    "/v1/runs?limit=many",
    "/v1/runs?cursor=nonsense",
    `/v1/runs?cursor=${Buffer.from('["x"]').toString("base64url")}`,
    `/v1/compensations?cursor=${Buffer.from('["2026-01-01","x","y",1]').toString("base64url")}`,
    "/v1/runs?createdAfter=yesterday",
    "/v1/runs?q=%00",
    "/v1/runs?unknown=1",
    "/v1/runs?tag.a=%00",
    `/v1/runs?workflow=${Array.from({ length: 30 }, (_, index) => `w${index}`).join(",")}`,
    `/v1/runs/${nobody}/result?waitMs=60001`,
  ])("%s", async (path) => {
    expect(await refused("GET", path)).toMatchObject({ status: 400, code: "invalid_request" });
  });
});

describe("other sites", () => {
  it("cannot act here through a browser", async () => {
    const asking = (headers: Record<string, string>) => ({ ...start(input), headers });
    for (const [name, value] of [
      ["origin", "https://evil.example"],
      ["origin", "http://127.0.0.1:4000"],
      ["origin", "null"],
      ["sec-fetch-site", "cross-site"],
    ] as const)
      expect(await refused("POST", "/v1/runs", asking({ [name]: value }))).toMatchObject({
        status: 400,
        code: "invalid_request",
      });
    const own = { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000", "sec-fetch-site": "same-origin" };
    expect((await api.ask("POST", "/v1/runs", asking(own))).status).toBe(201);
  });

  it("cannot read here under another host name", async () => {
    for (const host of [
      "evil.example:3000",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "localhost:3000@evil.example",
    ])
      expect(await refused("GET", "/v1/runs", { headers: { host } })).toMatchObject({ status: 400 });
    for (const host of ["localhost:3000", "127.0.0.1", "[::1]:3000"])
      expect((await api.ask("GET", "/v1/runs", { headers: { host } })).status).toBe(200);
  });
});

describe("the Idempotency-Key header", () => {
  it("makes a double click one action with one answer", async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const click = () =>
      api.ask("POST", `/v1/runs/${runId}/reruns`, { body: { reason }, headers: { "idempotency-key": "click-1" } });
    const [first, second] = await Promise.all([click(), click()]);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    const other = await refused("POST", `/v1/runs/${runId}/reruns`, {
      body: { reason: "another one" },
      headers: { "idempotency-key": "click-1" },
    });
    expect(other).toMatchObject({ status: 409, code: "idempotency_conflict" });
    const cancellation = { body: { reason }, headers: { "idempotency-key": "click-1" } };
    expect((await api.ask("POST", `/v1/runs/${runId}/cancellation`, cancellation)).status).toBe(202);
  });

  it("may not be longer than a key can be", async () => {
    const headers = { "idempotency-key": "x".repeat(256) };
    expect(await refused("POST", "/v1/runs", { ...start(input), headers })).toMatchObject({ status: 400 });
  });
});

describe("actions that are closed", () => {
  it("are refused with the rule's own sentence", async () => {
    const runId = await aRun(db).completed();
    expect(await refused("POST", `/v1/runs/${runId}/cancellation`, { body: { reason } })).toMatchObject({
      status: 409,
      code: "not_allowed",
      message: "The run has ended (completed).",
    });
    expect(await refused("POST", `/v1/runs/${runId}/cancellation`, { body: { reason, revision: 9 } })).toMatchObject({
      status: 409,
      code: "changed",
    });
  });
});

describe("a database in trouble", () => {
  it("is reported as such, without internals", async () => {
    await database.pool.query("alter table handrail.worker rename to worker_gone");
    try {
      expect(await refused("GET", "/v1/workers")).toMatchObject({ status: 500, code: "internal" });
    } finally {
      await database.pool.query("alter table handrail.worker_gone rename to worker");
    }
  });

  it("that holds a run for too long says try again", { timeout: 20_000 }, async () => {
    const runId = await aRun(db).failedAt("charge-payment");
    const holder = await database.pool.connect();
    try {
      await holder.query("begin");
      await holder.query("select from handrail.run where id = $1 for no key update", [runId]);
      expect(await refused("POST", `/v1/runs/${runId}/reruns`, { body: { reason } })).toMatchObject({
        status: 503,
        code: "too_busy",
      });
    } finally {
      await holder.query("rollback");
      holder.release();
    }
  });
});
