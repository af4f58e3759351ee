import { afterAll, beforeAll, expect, it } from "vitest";
import { poolDb } from "../../store/db";
import { anApi } from "../../testing/api/api";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { at, storeHistory } from "../../testing/rows/effect-rows";
import type { EffectListResponse, EffectRecord } from "../contract/effects";
import { effectListResponse, effectRecordSchema, runEffectsResponse } from "../contract/effects";

let database: TestDatabase;
let api: Awaited<ReturnType<typeof anApi>>;
beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  api = await anApi();
});
afterAll(async () => {
  const { shutdown } = await import("../../shutdown");
  await shutdown();
  await database.drop();
});

const get = async (path: string) => (await api.ask("GET", path)).body as EffectListResponse;

// --- what docs/console/effects.md shows

/** Effects that the record alone cannot prove to have happened once at the most. */
async function toLookUp(filter: string): Promise<EffectRecord[]> {
  const found: EffectRecord[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: EffectListResponse = await get(`/v1/effects?${filter}&cursor=${cursor}`);
    found.push(...page.effects.filter(({ verdict }) => !["never", "once", "same_key"].includes(verdict)));
    cursor = page.nextCursor;
  }
  return found;
}

// --- the rest

it("the page's snippet is in this file", () => {
  const here = fileText(import.meta.url);
  const snippets = snippetsOf("console/effects.md");
  expect(snippets).toHaveLength(1);
  for (const snippet of snippets) expect(here).toContain(snippet);
});

it("the page's snippet finds what has to be looked up, and nothing else", async () => {
  const db = poolDb(database.pool);
  const workflow = "looked-up";
  await storeHistory(db, { workflow, lanes: [{ status: "completed" }] });
  const suspect = await storeHistory(db, {
    workflow,
    lanes: [
      { status: "completed", supersededBy: 2 },
      { generation: 2, key: 2, status: "completed" },
    ],
  });
  for (let n = 0; n < 60; n++) await storeHistory(db, { workflow, lanes: [{ status: "completed" }] });
  const window = new URLSearchParams({ workflow, step: "charge", since: at(0), until: at(60) });
  expect(await toLookUp(`${window}`)).toMatchObject([{ runId: suspect, verdict: "maybe_twice" }]);
});

it("a run's ledger is a page of the contract, and whole as a file", async () => {
  const runId = await storeHistory(poolDb(database.pool), {
    lanes: [
      { step: "=1+1", status: "completed", reference: "@SUM(A1)", attemptRows: [[1, "unknown", 3]], attempt: 2 },
      { step: "mail, once", effect: "once", status: "completed" },
    ],
  });
  const page = await api.ask("GET", `/v1/runs/${runId}/effects`);
  expect(page.status).toBe(200);
  expect(runEffectsResponse.parse(page.body)).toMatchObject({ tally: { verdict: "same_key", total: 2 } });
  const filtered = await api.ask("GET", `/v1/runs/${runId}/effects?verdict=once,never`);
  expect(filtered.body.effects).toMatchObject([{ step: "mail, once" }]);

  const ndjson = await api.send("GET", `/v1/runs/${runId}/effects/export`);
  expect(ndjson.headers.get("content-type")).toContain("application/x-ndjson");
  const lines = (await ndjson.text()).trimEnd().split("\n");
  expect(lines.map((line) => effectRecordSchema.parse(JSON.parse(line)).step)).toEqual(["=1+1", "mail, once"]);

  const csv = await api.send("GET", `/v1/runs/${runId}/effects/export?format=csv`);
  expect(csv.headers.get("content-disposition")).toBe(`attachment; filename="effects-${runId}.csv"`);
  const [head, first, second, end] = (await csv.text()).split("\r\n");
  expect(head).toMatch(/^runId,workflow,runStatus,tags,step,verdict,/);
  expect(first).toContain(`"'=1+1",same_key`);
  expect(first).toContain(`"'@SUM(A1)"`);
  expect(second).toContain('"mail, once",once');
  expect(end).toBe("");
});

it("the report takes the filters of a list of runs, and streams all of it", async () => {
  const page = await api.ask("GET", "/v1/effects?workflow=looked-up&verdict=once&limit=5");
  expect(effectListResponse.parse(page.body).effects).toHaveLength(5);
  const file = await (await api.send("GET", "/v1/effects/export?workflow=looked-up&format=ndjson")).text();
  expect(file.trimEnd().split("\n")).toHaveLength(62);
});

it.each([
  ["/v1/runs/0190b1a0-0000-7000-8000-000000000000/effects", 404, "unknown_run"],
  ["/v1/runs/0190b1a0-0000-7000-8000-000000000000/effects/export", 404, "unknown_run"],
  ["/v1/runs/none/effects", 400, "invalid_request"],
  ["/v1/effects?verdict=often", 400, "invalid_request"],
  ["/v1/effects?since=yesterday", 400, "invalid_request"],
  ["/v1/effects?cursor=bm9uZQ", 400, "invalid_request"],
  ["/v1/effects/export?format=xlsx", 400, "invalid_request"],
])("GET %s is refused", async (path, status, code) => {
  expect(await api.ask("GET", path)).toMatchObject({ status, body: { error: { code } } });
});
