import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERASED_VALUE } from "../../engine/privacy/erased";
import { outcomeError } from "../../engine/runs/outcome-error";
import { serializeError } from "../../engine/values/serialized-error";
import { poolDb } from "../../store/db";
import { sendEvent } from "../../store/events/send-event";
import { lookForEvents } from "../../store/events/take-events";
import { deleteRun } from "../../store/runs/delete-run";
import { cancel, erase } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { mentions } from "../../testing/database/mentions";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { readRun } from "../runs/reads";

/* What an erasure reaches beside the rows of the run and its descendants. */

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
const engine = {
  get db() {
    return poolDb(database.pool);
  },
  rows: async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows,
};
const reason = "request 2026-114";
const store = () => aRun(engine.db, { id: uuidv7(), input: "null" });
const childOf = (parent: string, child: string) =>
  engine.rows(
    "update handrail.run set parent_run_id = $1, parent_step = 'create-order', parent_key_generation = 1 where id = $2",
    [parent, child],
  );

describe("an erasure of a child", () => {
  it("covers its message in the errors of every ancestor, and in the examples of their problems", async () => {
    const subject = "kim@example.com";
    const [top, middle, child] = [
      await store().failedAt("create-order"),
      await store().failedAt("create-order"),
      await store().failedAt("create-order"),
    ];
    await childOf(top, middle);
    await childOf(middle, child);
    const own = JSON.stringify({ name: "Error", message: `no account of ${subject}` });
    const failed = (id: string, error: string) =>
      JSON.stringify(serializeError(outcomeError("child_failed", { id, workflow: "w", status: "failed", error })));
    const ofMiddle = failed(child, own);
    for (const [run, error] of [
      [child, own],
      [middle, ofMiddle],
      [top, failed(middle, ofMiddle)],
    ] as const)
      for (const statement of [
        "update handrail.run set error = $2 where id = $1",
        "update handrail.step set error = $2 where run_id = $1 and error is not null",
        "insert into handrail.trouble (run_id, kind, workflow, version, error) values ($1, 'failed', 'w', 1, $2)",
        `insert into handrail.problem (id, kind, workflow, step, error_name, pattern, first_at, last_at, example_run_id, example_version, example_error)
         values (gen_random_uuid(), 'failed', 'w', gen_random_uuid(), 'Error', 'p', now(), now(), $1::uuid, 1, $2)`,
      ])
        await engine.rows(statement, [run, error]);
    const unrelated = await engine.rows("select error from handrail.run where id <> all ($1) order by id", [
      [top, middle, child],
    ]);
    expect(await mentions(engine.db, subject)).toEqual(["problem", "run", "step", "trouble"]);
    await erase(aDesk(engine.db), { runId: child, reason });
    expect(await mentions(engine.db, subject)).toEqual([]);
    expect((await readRun(engine.db, top)).error).toEqual({ name: "Erased", message: expect.any(String) });
    expect(
      await engine.rows("select error from handrail.run where id <> all ($1) order by id", [[top, middle, child]]),
    ).toEqual(unrelated);
  });

  it("waits until every ancestor has ended", async () => {
    const [top, middle, child] = [
      await store().asleepAfter("create-order"),
      await store().completed(),
      await store().completed(),
    ];
    await childOf(top, middle);
    await childOf(middle, child);
    await expect(erase(aDesk(engine.db), { runId: child, reason })).rejects.toMatchObject({
      code: "not_allowed",
      message: expect.stringContaining("An ancestor of the run has not ended"),
    });
  });
});

describe("the event that started a run", () => {
  const name = "signed-up";
  const subscribed = async (id: string, key: string | null, payload: string) => {
    await engine.rows(
      "insert into handrail.subscription (workflow, version, event) values ('welcome', 1, $1) on conflict do nothing",
      [name],
    );
    await sendEvent(engine.db, { name, id, runId: null, key, payload, sentBy: null });
    const [run] = await engine.rows("select id from handrail.run where idempotency_key = $1", [`event:${name}:${id}`]);
    await cancel(aDesk(engine.db), { runId: run.id, reason });
    return run.id as string;
  };
  const waitFor = async (key: string) => {
    const wait = { step: "wait", generation: 1, event: name, key, filter: null, question: null, takesAgain: false };
    const [standing] = await lookForEvents(engine.db, await aRun(engine.db).asleepAfter("create-order"), [wait]);
    return standing?.forKey.length;
  };

  it("is erased with it, is not taken by a later wait, and its id counts once as before", async () => {
    const subject = "lin@example.com";
    const payload = JSON.stringify({ email: subject });
    const run = await subscribed("e-1", "account-1", payload);
    expect(await waitFor("account-1")).toBe(1);
    await erase(aDesk(engine.db), { runId: run, reason });
    expect(await mentions(engine.db, subject)).toEqual([]);
    expect(await waitFor("account-1")).toBe(0);
    const again = { name, id: "e-1", runId: null, key: "account-1", payload, sentBy: null };
    expect(await sendEvent(engine.db, again)).toMatchObject({ created: false });
    expect(await mentions(engine.db, subject)).toEqual([]);
  });

  it("stays with another run that took it", async () => {
    const run = await subscribed("e-2", "account-2", `"taken"`);
    const taker = await aRun(engine.db).completed();
    await engine.rows(
      "update handrail.event set taken_by = $1, taken_step = 's', taken_generation = 1, taken_at = now() where id = 'e-2'",
      [taker],
    );
    await erase(aDesk(engine.db), { runId: run, reason });
    expect(await engine.rows("select payload from handrail.event where id = 'e-2'")).toEqual([{ payload: `"taken"` }]);
  });

  it("loses its payload when the run is deleted, unless a later wait can take it by its key", async () => {
    for (const [id, key] of [
      ["e-3", null],
      ["e-4", "account-4"],
    ] as const) {
      const run = await subscribed(id, key, `"${id}"`);
      await engine.rows("update handrail.run set finished_at = now() - interval '2 hours' where id = $1", [run]);
      expect(await deleteRun(engine.db, run)).toMatchObject({ deleted: [{ id: run }] });
    }
    const { rows } = await database.pool.query(
      "select id, payload from handrail.event where id in ('e-3', 'e-4') order by id",
    );
    expect(rows).toEqual([
      { id: "e-3", payload: ERASED_VALUE },
      { id: "e-4", payload: `"e-4"` },
    ]);
    expect(await waitFor("account-4")).toBe(1);
  });
});
