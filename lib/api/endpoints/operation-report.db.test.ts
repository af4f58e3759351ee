import { afterAll, beforeAll, expect, it } from "vitest";
import { codeHere } from "../../engine/workflows/workflow-code";
import { carryOutNext } from "../../operator/operations/carry-out-item";
import { type ApiOnADatabase, anApiOnADatabase } from "../../testing/api/api-on-a-database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { operationReportLine } from "../contract/operations";

let { api, database, db, close } = {} as ApiOnADatabase;
beforeAll(async () => {
  ({ api, database, db, close } = await anApiOnADatabase());
});
afterAll(() => close());

const operationDesk = () => ({ ...aDesk(db), code: codeHere([]) });

/** `left`: items that the operation does not reach. */
async function anOperation(runIds: string[], { left = 0, act = "rerun" } = {}): Promise<string> {
  const planned = { act, params: {}, selection: { runIds } };
  const { body: plan } = await api.ask("POST", "/v1/plans", { body: planned });
  const execution = { hash: plan.hash, reason: "the gateway is back", canary: 0, ratePerSecond: 1_000 };
  const { body: operation } = await api.ask("POST", `/v1/plans/${plan.id}/executions`, { body: execution });
  for (let item = operation.counts.total; item > left; item--) await carryOutNext(operationDesk(), operation.id);
  return operation.id;
}

const report = async (id: string, format: "csv" | "ndjson") => {
  const response = await api.send("GET", `/v1/operations/${id}/report?format=${format}`);
  expect(response.status).toBe(200);
  return { response, text: await response.text() };
};
const linesOf = async (id: string) =>
  (await report(id, "ndjson")).text
    .trimEnd()
    .split("\n")
    .map((line) => operationReportLine.parse(JSON.parse(line)));

it("has every item with its outcome, and behind it each effect once, with key and reference", async () => {
  const failed = [await aRun(db).failedBetweenSteps(), await aRun(db).failedBetweenSteps()];
  const [moved, later] = [await aRun(db).failedBetweenSteps(), await aRun(db).failedBetweenSteps()];
  const id = await anOperation([...failed, moved, later, await aRun(db).compensating()], { left: 4 });
  await database.pool.query("update handrail.run set status = 'completed', attention = null where id = $1", [moved]);
  for (let item = 0; item < 3; item++) await carryOutNext(operationDesk(), id);
  const lines = await linesOf(id);
  expect(lines[0]).toMatchObject({ row: "operation", id, act: "rerun", counts: { total: 4 } });
  const items = lines.flatMap((line) => (line.row === "item" ? [line] : []));
  expect(items.map(({ item }) => item)).toEqual([1, 2, 3, 4, 5]);
  expect(items.map(({ itemOutcome }) => itemOutcome).sort()).toEqual([
    "done",
    "done",
    "left_out",
    "not_begun",
    "not_eligible",
  ]);
  for (const { itemOutcome, because, at } of items)
    expect([because !== null, at !== null]).toEqual([
      ["left_out", "not_eligible"].includes(itemOutcome),
      !["left_out", "not_begun"].includes(itemOutcome),
    ]);
  const begun = items.filter(({ at }) => at !== null);
  const effects = lines.flatMap((line) => (line.row === "effect" ? [line] : []));
  expect(effects.map(({ item, runId, step }) => [item, runId, step])).toEqual(
    begun.flatMap(({ item, runId }) => [
      [item, runId, "charge-payment"],
      [item, runId, "send-confirmation"],
    ]),
  );
  expect(new Set(effects.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(effects.length);
});

it("has the effects behind their items also of a cancel, whose items begin with the oldest run", async () => {
  const asleep = () => aRun(db).asleepAfter("charge-payment");
  const runIds = [await asleep(), await asleep(), await asleep()].sort();
  const lines = await linesOf(await anOperation(runIds, { act: "cancel" }));
  expect(lines.flatMap((line) => (line.row === "operation" ? [] : [[line.row, line.runId]]))).toEqual(
    runIds.flatMap((runId) => [
      ["item", runId],
      ["effect", runId],
    ]),
  );
});

it("of many items is written in batches, and is a table that no spreadsheet runs", async () => {
  await database.pool.query(`
    insert into handrail.run (id, workflow, version, input, status, attention, finished_at, error, started_at)
    select gen_random_uuid(), '=cmd()', 1, '{}', 'failed', 'failed', clock_timestamp(), '{"name":"Error","message":"x"}', clock_timestamp()
    from generate_series(1, 1100)`);
  const charged = [await aRun(db).failedBetweenSteps(), await aRun(db).failedBetweenSteps()];
  const { rows } = await database.pool.query("select id from handrail.run where workflow = '=cmd()'");
  const id = await anOperation([...charged, ...rows.map((row: { id: string }) => row.id)]);
  await database.pool.query(
    "update handrail.step set reference = '@SUM(A1)' where run_id = $1 and name = 'charge-payment'",
    [charged[0]],
  );
  const { response, text } = await report(id, "csv");
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="operation-${id}.csv"`);
  const table = text.trimEnd().split("\r\n");
  expect(table[0]).toMatch(/^row,item,itemOutcome,because,at,title,runId,workflow,/);
  expect(table.filter((line) => line.startsWith("item,"))).toHaveLength(1_102);
  expect(table.filter((line) => line.startsWith("effect,"))).toHaveLength(4);
  expect(text).toContain(`"'@SUM(A1)"`);
  expect(text).toContain(`"'=cmd()"`);
  expect(text).not.toMatch(/(^|,)"?[=@+]/m);
  expect((await linesOf(id)).filter(({ row }) => row === "effect")).toHaveLength(4);
}, 240_000);

it.each([
  ["/v1/operations/0190b1a0-0000-7000-8000-000000000000/report", 404, "unknown_operation"],
  ["/v1/operations/none/report", 400, "invalid_request"],
  ["/v1/operations/0190b1a0-0000-7000-8000-000000000000/report?format=xlsx", 400, "invalid_request"],
])("GET %s is refused", async (path, status, code) => {
  expect(await api.ask("GET", path)).toMatchObject({ status, body: { error: { code } } });
});

it("proves step by step how often the effects of its repaired runs happened, page by page", async () => {
  const runIds = [
    await aRun(db).failedBetweenSteps(),
    await aRun(db).failedBetweenSteps(),
    await aRun(db).failedBetweenSteps(),
  ];
  const [twice] = runIds as [string];
  const id = await anOperation(runIds);
  // A second lane of the charge, sent under a fresh key.
  await database.pool.query(
    `update handrail.step set superseded_by = 2, next_key_generation = 2 where run_id = $1 and name = 'charge-payment'`,
    [twice],
  );
  await database.pool.query(
    `insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
       key_generation, output, started_at, finished_at)
     select run_id, name, 2, kind, effect, 'completed', position + 10, finished_position + 10, 1, max_attempts, 2, output, started_at, finished_at
     from handrail.step where run_id = $1 and name = 'charge-payment' and generation = 1`,
    [twice],
  );
  const all = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await api.ask("GET", `/v1/operations/${id}/proof?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    all.push(body);
    cursor = body.nextCursor;
  }
  expect(all.map(({ runs }) => runs)).toEqual([2, 1]);
  const charges = all.flatMap(({ steps }) => steps).filter(({ step }) => step === "charge-payment");
  const sum = (of: (proof: (typeof charges)[number]) => number) =>
    charges.reduce((total, proof) => total + of(proof), 0);
  expect(sum(({ effects }) => effects)).toBe(3);
  expect(sum(({ keys }) => keys)).toBe(4);
  expect(sum(({ verdicts }) => verdicts.maybe_twice)).toBe(1);
  expect(sum(({ verdicts }) => verdicts.once)).toBe(2);
  expect((await api.ask("GET", `/v1/operations/${crypto.randomUUID()}/proof`)).status).toBe(404);
});

it("counts no effect as happened that a person has ruled out, and names runs in which one may have no record", async () => {
  const ruledOut = await aRun(db).waitingUnknown("send-confirmation");
  const resolution = { outcome: "did_not_happen", reason: "the mailbox has none" };
  const path = `/v1/runs/${ruledOut}/steps/send-confirmation/resolution`;
  expect((await api.ask("POST", path, { body: resolution })).status).toBe(202);
  const lost = await aRun(db).asleepAfter("create-order");
  await database.pool.query("insert into handrail.lost_claim (run_id, epoch, worker_id) values ($1, 1, 1)", [lost]);
  const id = await anOperation([ruledOut, lost], { act: "cancel" });
  const { body } = await api.ask("GET", `/v1/operations/${id}/proof`);
  expect(body).toMatchObject({ runs: 2, lostAtEnd: 1 });
  const of = (name: string) => body.steps.find(({ step }: { step: string }) => step === name);
  expect(of("send-confirmation")).toMatchObject({ effects: 1, happened: 0, verdicts: { vouched: 1 } });
  expect(of("charge-payment")).toMatchObject({ effects: 1, happened: 1 });
});
