import { expect, it } from "vitest";
import { z } from "zod";
import type { EventOptions } from "../../engine/events/event";
import { type EventFilter, planFilter } from "../../engine/events/event-filter";
import { prepareEvent } from "../../engine/events/prepare-event";
import { encodeValue } from "../../engine/values/codec";
import { type Context, defineWorkflow } from "../../engine/workflows/workflow";
import { Notifier } from "../../store/database/notifier";
import { sendEvent } from "../../store/events/send-event";
import { expectInvariants } from "../../testing/database/invariants";
import { anEngine } from "../../testing/workers/engine";

const engine = anEngine();

const input = z.object({ key: z.string(), country: z.string().optional() });
let names = 0;
const aWorkflow = (code: (ctx: Context, given: z.infer<typeof input>) => Promise<unknown>) =>
  defineWorkflow({ name: `filters-${++names}`, input }, code);
const send = async (payload: unknown, options: EventOptions) =>
  sendEvent(engine.db, await prepareEvent("paid", payload, options));
async function wakeWorkers() {
  const notifier = new Notifier(engine.db);
  notifier.work();
  await notifier.close();
}
const untilWaiting = (runId: string) => engine.untilRun(runId, ({ run }) => run.status === "waiting");

const byCountry = aWorkflow((ctx, { key, country }) =>
  ctx.waitForEvent("wait", { event: "paid", key, ...(country && { where: { country } }) }),
);

it.each([
  [{ a: 1 }, { a: 1.0 }, true],
  [{ a: 1 }, { a: "1" }, false],
  [{ a: [1, "x"] }, { a: "x" }, true],
  [{ a: null }, { a: null }, true],
  [{ a: null }, {}, false],
  [{ a: { not: "x" } }, { a: "y" }, true],
  [{ a: { not: ["x", "y"] } }, { a: "y" }, false],
  [{ a: { not: "x" } }, {}, false],
  [{ a: { exists: false } }, {}, true],
  [{ a: { exists: true } }, { a: null }, true],
  [{ a: { gt: 9 } }, { a: 10 }, true],
  [{ a: { gt: 9 } }, { a: "99" }, false],
  [{ a: { gt: 9 } }, { a: 9 }, false],
  [{ a: { gte: 9, lt: 10 } }, { a: 9.5 }, true],
  [{ a: { lte: "2026-01-31" } }, { a: "2026-01-09" }, true],
  // By code point: "Z" comes before "a".
  [{ a: { lt: "a" } }, { a: "Z" }, true],
  [{ "a.b": 1 }, { a: { b: 1 } }, true],
  [{ "a.0.b": 1 }, { a: [{ b: 1 }] }, true],
  [{ "a.b": 1 }, { a: 1 }, false],
  [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
  [{ a: 1 }, "text", false],
  [{ a: 0 }, { a: new Date(0) }, false],
  [{ a: { gt: 0 } }, { a: 5n }, false],
] as [EventFilter, unknown, boolean][])("%j of %o: %s", async (where, payload, fits) => {
  const [row] = await engine.database.pool
    .query("select handrail.event_fits($1, $2) as fits", [
      encodeValue(payload),
      planFilter(where, "a test", () => true),
    ])
    .then(({ rows }) => rows);
  expect(row.fits).toBe(fits);
});

it("an event that came before is taken if it fits, and stays for another wait if not", async () => {
  const key = "early";
  await send({ country: "FR" }, { key });
  await send({ country: "DE" }, { key });
  await engine.worker([byCountry]);
  const german = await engine.start(byCountry, { key, country: "DE" });
  expect((await engine.untilEnded(german)).run.output).toEqual({ country: "DE" });
  const any = await engine.start(byCountry, { key });
  expect((await engine.untilEnded(any)).run.output).toEqual({ country: "FR" });
});

it("an event that does not fit wakes nothing and stays; one that fits ends the wait", async () => {
  const key = "late";
  await engine.worker([byCountry]);
  const runId = await engine.start(byCountry, { key, country: "DE" });
  await untilWaiting(runId);
  const before = (await engine.historyOf(runId)).run;
  await send({ country: "FR" }, { key });
  await send({ country: "FR" }, { runId });
  expect((await engine.historyOf(runId)).run).toMatchObject({ epoch: before.epoch, due_at: null, status: "waiting" });
  await send({ country: "DE" }, { key });
  await wakeWorkers();
  expect((await engine.untilEnded(runId)).run.output).toEqual({ country: "DE" });
  expect(await engine.rows("select count(*)::int from handrail.event where key = 'late' and taken_by is null")).toEqual(
    [{ count: 1 }],
  );
  await expectInvariants(engine.database.pool);
});

it("two waits with different filters each get their events, whichever waited first", async () => {
  const key = "two";
  await engine.worker([byCountry]);
  const german = await engine.start(byCountry, { key, country: "DE" });
  await untilWaiting(german);
  const austrian = await engine.start(byCountry, { key, country: "AT" });
  await untilWaiting(austrian);
  // The older wait has a filter that this does not fit: the younger one takes it, without looking again after a while.
  await send({ country: "AT" }, { key });
  await wakeWorkers();
  expect((await engine.untilEnded(austrian)).run.output).toEqual({ country: "AT" });
  expect((await untilWaiting(german)).run.due_at).toBeNull();
  await send({ country: "DE" }, { key });
  await wakeWorkers();
  expect((await engine.untilEnded(german)).run.output).toEqual({ country: "DE" });
});

it("branches of one run take the events that fit them, in one pass", async () => {
  const branches = aWorkflow((ctx) =>
    Promise.all(
      ["AT", "DE"].map((country) => ctx.waitForEvent(country, { event: "paid", where: { country, cents: { gt: 5 } } })),
    ),
  );
  const runId = await engine.start(branches, { key: "-" });
  for (const [country, cents] of [
    ["DE", 1],
    ["DE", 6],
    ["AT", 7],
  ] as const)
    await send({ country, cents }, { runId });
  await engine.worker([branches]);
  expect((await engine.untilEnded(runId)).run.output).toEqual([
    { country: "AT", cents: 7 },
    { country: "DE", cents: 6 },
  ]);
});

it("code with another filter puts its own on record when it runs again", async () => {
  let country = "DE";
  const changed = aWorkflow((ctx, { key }) =>
    Promise.all([ctx.waitForEvent("wait", { event: "paid", key, where: { country } }), ctx.sleep("nap", "300ms")]),
  );
  await engine.worker([changed]);
  const runId = await engine.start(changed, { key: "changed" });
  await untilWaiting(runId);
  country = "AT";
  const filterOf = () =>
    engine.rows<{ country: string }>(
      "select filter #>> '{0,value,0}' as country from handrail.event_wait where key = 'changed'",
    );
  await engine.untilRun(runId, ({ steps }) =>
    steps.some(({ name, status }) => name === "nap" && status === "completed"),
  );
  await untilWaiting(runId);
  expect(await filterOf()).toEqual([{ country: "AT" }]);
  await send({ country: "AT" }, { key: "changed" });
  await wakeWorkers();
  expect((await engine.untilEnded(runId)).run.output).toEqual([{ country: "AT" }, undefined]);
});

it("code with another key puts its own on record when it runs again, and is woken by it", async () => {
  let prefix = "";
  const changed = aWorkflow((ctx, { key }) =>
    Promise.all([ctx.waitForEvent("wait", { event: "paid", key: prefix + key }), ctx.sleep("nap", "300ms")]),
  );
  await engine.worker([changed]);
  const runId = await engine.start(changed, { key: "A-1" });
  await untilWaiting(runId);
  prefix = "order:";
  await engine.untilRun(runId, ({ steps }) =>
    steps.some(({ name, status }) => name === "nap" && status === "completed"),
  );
  await untilWaiting(runId);
  await send({ country: "DE" }, { key: "order:A-1" });
  await wakeWorkers();
  expect((await engine.untilEnded(runId)).run.output).toEqual([{ country: "DE" }, undefined]);
});

it("a filter with a mistake fails the step, and no wait is on record", async () => {
  const wrong = aWorkflow((ctx, { key }) =>
    ctx.waitForEvent("wait", { event: "paid", key, where: { cents: { over: 5 } } as never }),
  );
  const { run } = await engine.runToEnd(wrong, { key: "wrong" });
  expect(run).toMatchObject({ status: "failed", error: { code: "invalid_workflow" } });
  expect(await engine.rows("select step from handrail.event_wait where key = 'wrong'")).toEqual([]);
});

it("of senders and waiters with filters that commit at the same instant, none misses the other", async () => {
  await engine.worker([byCountry]);
  const countries = ["DE", "AT", "FR", "IT"];
  const rounds = Array.from({ length: 40 }, async (_, round) => {
    const key = `race-${round}`;
    const shuffled = [...countries].sort(() => Math.random() - 0.5);
    const runs = await Promise.all(countries.map((country) => engine.start(byCountry, { key, country })));
    await Promise.all(shuffled.map((country) => send({ country, round }, { key })));
    return runs.map((runId, index) => ({ runId, round, country: countries[index] }));
  });
  const runs = (await Promise.all(rounds)).flat();
  await wakeWorkers();
  for (const { runId, ...payload } of runs) expect((await engine.untilEnded(runId)).run.output).toEqual(payload);
  await expectInvariants(engine.database.pool);
}, 120_000);
