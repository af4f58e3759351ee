import { expect, it } from "vitest";
import { prepareEvent } from "../../engine/events/prepare-event";
import { anEngine } from "../../testing/workers/engine";
import { deleteOldEvents } from "./old-events";
import { sendEvent } from "./send-event";

const engine = anEngine();

it("untaken events are deleted after 90 days, and then their keys; young or locked ones stay", async () => {
  for (const key of ["old", "locked", "young"])
    await sendEvent(engine.db, await prepareEvent("e", null, { key, id: key }));
  const age = "clock_timestamp() - interval '91 days'";
  await engine.rows(`update handrail.event set sent_at = ${age} where key <> 'young'`);
  await engine.rows(`update handrail.event_key set used_at = ${age} where key <> 'young'`);
  const taker = await engine.database.pool.connect();
  await taker.query("begin; select from handrail.event where key = 'locked' for update");
  expect(await deleteOldEvents(engine.db, 10)).toBe(1);
  // Keys count, too: a sweep goes on while a batch is full of them.
  expect(await deleteOldEvents(engine.db, 10)).toBe(1);
  expect(await deleteOldEvents(engine.db, 10)).toBe(0);
  await taker.query("rollback");
  taker.release();
  expect(await engine.rows("select key from handrail.event order by key")).toEqual([
    { key: "locked" },
    { key: "young" },
  ]);
  // The old event's key was deleted with the batch after it.
  expect(await engine.rows("select key from handrail.event_key order by key")).toEqual([
    { key: "locked" },
    { key: "young" },
  ]);
});
