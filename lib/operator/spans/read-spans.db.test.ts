import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Span } from "../../engine/spans/span";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { examine } from "../../store/database/doctor";
import { type Db, poolDb } from "../../store/db";
import { countByKey, rotate } from "../../store/privacy/payload-rotation";
import { keepSpans } from "../../store/spans/keep-spans";
import { registerWorkflows } from "../../store/workers/workers";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { payloadKeysOf, withPayloadKeys } from "../../testing/payload-keys";
import { aRun } from "../../testing/rows/a-run";
import { RetentionWalk } from "../../worker/duties/retention";
import { readRunSpans } from "./read-spans";

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
  const options = { input: z.any(), retention: { completedMs: 1_000 } };
  await registerWorkflows(db, [
    defineWorkflow({ name: "plain", ...options }, async () => null),
    defineWorkflow({ name: "guarded", input: z.any(), masked: ["card.number"] }, async () => null),
  ]);
});
afterAll(() => database.drop());
const setKeys = withPayloadKeys();

const DAY_MS = 86_400_000;
const hex = (digits: number) => uuidv7().replaceAll("-", "").slice(-digits);
const rows = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

function aSpan(given: Partial<Span>): Span {
  const startedUs = Date.now() * 1_000;
  return {
    ...{
      traceId: hex(32),
      spanId: hex(16),
      parentSpanId: null,
      runId: null,
      name: "GET",
      kind: "client",
      service: "shop",
    },
    ...{ status: "error", startedUs, endedUs: startedUs + 1_500 },
    detail: {
      attributes: { "http.request.method": "GET", "http.route": "/users/{id}", "url.full": "https://x/4242" },
      statusMessage: "the card 4242 was declined",
      events: [{ name: "exception", atMs: Date.now(), attributes: { "exception.message": "4242" } }],
      leftOut: 0,
    },
    ...given,
  };
}

/** A run that ended two days ago, in this trace. */
async function aRunIn(traceId: string, workflow = "plain"): Promise<string> {
  const createdAt = new Date(Date.now() - 2 * DAY_MS);
  const id = await aRun(db, { id: uuidv7({ msecs: createdAt.getTime() }), workflow, createdAt }).completed();
  await rows("update handrail.run set trace = $2 where id = $1", [id, `00-${traceId}-00f067aa0ba902b7-01`]);
  return id;
}

const read = (runId: string, mayReadPayloads = true) =>
  readRunSpans(db, runId, { limit: 500, mayReadPayloads, traceUrl: null });

async function sweep(): Promise<void> {
  const walk = new RetentionWalk(db);
  while ((await walk.step()).more);
}

describe("what a span says is shown", () => {
  const SAFE = { "http.request.method": "GET", "http.route": "/users/{id}" };

  it("whole to people who may read payloads, and to others only how something was called", async () => {
    const runId = await aRun(db, { workflow: "plain" }).pending();
    await keepSpans(db, [aSpan({ runId })]);
    expect(await read(runId)).toMatchObject({
      withheld: null,
      spans: [
        { durationMs: 1.5, statusMessage: "the card 4242 was declined", attributes: { "url.full": "https://x/4242" } },
      ],
    });
    const { withheld, spans } = await read(runId, false);
    expect(withheld).toBe("permission");
    expect(spans).toMatchObject([{ name: "GET", status: "error", statusMessage: null, events: [] }]);
    expect(spans[0]?.attributes).toEqual(SAFE);
  });

  it("to nobody, of a workflow that masks fields", async () => {
    const runId = await aRun(db, { workflow: "guarded" }).pending();
    await keepSpans(db, [aSpan({ runId })]);
    for (const may of [true, false]) {
      const answer = await read(runId, may);
      expect(answer.withheld).toBe("masked");
      expect(answer.spans[0]?.attributes).toEqual(SAFE);
      expect(JSON.stringify(answer.spans)).not.toContain("4242");
    }
  });
});

it("two runs of one trace do not see each other's spans, nor what hangs below them", async () => {
  const traceId = hex(32);
  const [one, other] = [await aRunIn(traceId), await aRunIn(traceId)];
  const [mine, theirs] = [
    aSpan({ traceId, runId: one, name: "mine" }),
    aSpan({ traceId, runId: other, name: "theirs" }),
  ];
  const below = (parent: Span, name: string) => aSpan({ traceId, parentSpanId: parent.spanId, name });
  await keepSpans(db, [below(mine, "below mine"), below(theirs, "below theirs"), aSpan({ traceId, name: "beside" })]);
  await keepSpans(db, [mine, theirs]);
  const names = async (runId: string) => (await read(runId)).spans.map(({ name }) => name).sort();
  expect(await names(one)).toEqual(["below mine", "mine"]);
  expect(await names(other)).toEqual(["below theirs", "theirs"]);
});

describe("the deletion of a run", () => {
  it("takes its spans along, and those of its trace once the last run of the trace goes", async () => {
    const traceId = hex(32);
    const [gone, stays] = [await aRunIn(traceId), await aRunIn(traceId, "guarded")];
    const spans = [
      aSpan({ traceId, runId: gone }),
      aSpan({ traceId, runId: stays }),
      aSpan({ traceId, name: "shared" }),
    ];
    await keepSpans(db, spans);
    await sweep();
    const left = "select run_id from handrail.span where trace_id = $1 order by run_id";
    expect(await rows("select from handrail.run where id = $1", [gone])).toEqual([]);
    expect(await rows(left, [traceId])).toEqual([{ run_id: stays }, { run_id: null }]);
    await rows("update handrail.run set workflow = 'plain' where id = $1", [stays]);
    await sweep();
    expect(await rows(left, [traceId])).toEqual([]);
  });

  it("leaves none of its spans behind when they are sent at the same time", async () => {
    for (let turn = 0; turn < 10; turn++) {
      const runId = await aRunIn(hex(32));
      const spans = Array.from({ length: 50 }, () => aSpan({ runId }));
      await Promise.all([sweep(), keepSpans(db, spans)]);
      const kept = "select count(*)::int as kept from handrail.span where run_id = $1 and held_until is null";
      const there = await rows("select from handrail.run where id = $1", [runId]);
      expect((await rows(kept, [runId]))[0].kept).toBe(there.length === 1 ? 50 : 0);
      await sweep();
    }
    const parts = (await examine(db)).find(({ rule }) => rule.name === "Every part of a run belongs to a run");
    expect(parts?.hits).toEqual([]);
  });
});

it("a rotation of the payload keys seals what spans say anew", async () => {
  await rows("truncate handrail.span");
  const runId = await aRun(db, { workflow: "plain" }).pending();
  await keepSpans(db, [aSpan({ runId })]);
  setKeys("a");
  await keepSpans(db, [aSpan({ runId })]);
  await rotate(db, payloadKeysOf("b", "a"));
  const sealedBy = await rows(`select substr(detail, 26, 1) as key from handrail.span`);
  expect(sealedBy).toEqual([{ key: "b" }, { key: "b" }]);
  expect([...(await countByKey(db)).keys()]).not.toContain("a");
  setKeys("b");
  expect((await read(runId)).spans).toMatchObject([1, 2].map(() => ({ statusMessage: "the card 4242 was declined" })));
});
