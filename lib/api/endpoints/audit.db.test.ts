import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkFault } from "../../engine/audit/audit-chain";
import { type Db, poolDb } from "../../store/db";
import { pause, rerun } from "../../testing/actions";
import { anApi } from "../../testing/api/api";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { auditChainResponse, auditListResponse } from "../contract/audit";

let database: TestDatabase;
let db: Db;
let api: Awaited<ReturnType<typeof anApi>>;
let runIds: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  process.env.HANDRAIL_LOG = "silent";
  db = poolDb(database.pool);
  api = await anApi();
  runIds = [];
  for (let n = 0; n < 3; n++) {
    const runId = await aRun(db, { idempotencyKey: undefined }).failedAt("charge-payment");
    runIds.push(runId);
    await pause(aDesk(db, { actor: "ben" }), { runId, reason: "=cmd|' /C calc'!A0" }).catch(() => undefined);
    await rerun(aDesk(db, { actor: "mia" }), { runId, reason: `It is "back", number ${n}` });
  }
});
afterAll(async () => {
  const { shutdown } = await import("../../shutdown");
  await shutdown();
  await database.drop();
});

const list = async (query = "") => {
  const { status, body } = await api.ask("GET", `/v1/audit${query}`);
  expect(status).toBe(200);
  return auditListResponse.parse(body);
};
const exported = async (query: string) => (await api.send("GET", `/v1/audit/export${query}`)).text();

it("gives the newest first, page by page, each row once", async () => {
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof list>> = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(seen).toHaveLength(6);
  expect(seen.map(Number)).toEqual(seen.map(Number).sort((a, b) => b - a));
  expect(new Set(seen).size).toBe(6);
});

it.each([
  ["actor=mia", 3],
  ["act=pause", 3],
  ["result=denied", 3],
  ["result=denied,failed", 3],
  ["result=done,denied", 6],
  ["workflow=order-fulfilment", 6],
  ["workflow=another", 0],
  ["since=2020-01-01T00:00:00Z", 6],
  ["until=2020-01-01T00:00:00Z", 0],
  ["actor=mia&act=pause", 0],
])("finds by %s", async (query, count) => {
  expect((await list(`?${query}`)).rows).toHaveLength(count);
});

it("finds what was done to a run, by whom and through what", async () => {
  const { rows } = await list(`?runId=${runIds[1]}`);
  expect(rows).toMatchObject([
    { act: "rerun", result: "done", code: null },
    { act: "pause", result: "denied", code: "not_allowed", after: { because: expect.any(String) } },
  ]);
  const headers = { "x-forwarded-for": "6.6.6.6, 10.1.2.3", "user-agent": "x".repeat(1_000) };
  const body = { reason: "Again.", revision: 0 };
  const refused = await api.ask("POST", `/v1/runs/${runIds[1]}/pause`, { headers, body });
  expect(refused.status).toBe(409);
  expect((await list(`?runId=${runIds[1]}&limit=1`)).rows).toMatchObject([
    {
      ...{ actor: "operator", actorKind: "person", address: "10.1.2.3", userAgent: "x".repeat(300), code: "changed" },
      requestId: refused.headers.get("x-request-id"),
    },
  ]);
});

it.each([
  "?result=some",
  "?since=yesterday",
  "?runId=x",
  "?cursor=x",
  "?limit=201",
  "?unknown=1",
  "/export?format=xml",
])("refuses %s", async (query) => {
  expect(await api.ask("GET", `/v1/audit${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: "invalid_request" } },
  });
});

it("says whether the newest rows are what was written", async () => {
  const { status, body } = await api.ask("GET", "/v1/audit/chain");
  expect(status).toBe(200);
  const { seq, rows, fault } = auditChainResponse.parse(body);
  expect({ rows, fault }).toEqual({ rows: seq, fault: null });
});

describe("an export", () => {
  it("in NDJSON is every row as it is: its hashes can be checked without the database", async () => {
    const rows = (await exported(""))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .reverse();
    let end = { id: 0, seq: 0, hash: rows[0].prevHash as string };
    for (const { id, prevHash, hash, ...row } of rows) {
      expect(linkFault(end, { id, prevHash, hash, row }, TEST_AUDIT_KEYS)).toBeNull();
      end = { id, seq: row.seq, hash };
    }
  });

  it("in CSV has no cell that a spreadsheet would run, and only what the filter finds", async () => {
    const lines = (await exported("?format=csv&actor=ben")).split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^seq,at,actor,/);
    expect(lines[1]).toContain(`,"'=cmd|' /C calc'!A0",`);
  });
});
