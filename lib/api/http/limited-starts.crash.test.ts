import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prepareStart } from "../../engine/runs/start";
import { poolDb } from "../../store/db";
import { insertRunOnce } from "../../store/runs/start-run";
import { registerWorkflows } from "../../store/workers/workers";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { expectInvariants } from "../../testing/database/invariants";
import { callWitness } from "../../testing/database/witness";
import { ChildConsole, type CommitMoment } from "../../testing/processes/crash";
import { once, workflows } from "../../testing/workflows/singleton-workflows";

/*
 * Starts of a singleton with a throttle, over the sockets of several consoles. One of them dies by a real SIGKILL at the
 * commit of a start: what the start took (the key, its count) is taken together with its run, or not at all.
 */

const WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/singleton-workflows.ts", import.meta.url));

let database: TestDatabase;
let consoles: ChildConsole[];
beforeAll(async () => {
  database = await createTestDatabase();
  await callWitness(database.pool);
  await registerWorkflows(poolDb(database.pool), workflows);
  consoles = await Promise.all([1, 2].map(() => ChildConsole.spawn(database, { workflows: WORKFLOWS })));
});
afterAll(async () => {
  await Promise.all(consoles.map((one) => one.kill()));
  await expectInvariants(database.pool);
  await database.drop();
});

type Answer = { status: number; body: { id: string; error: { code: string; details: { runId?: string } } } };
const startOn = (one: ChildConsole | undefined, customer: string, key?: string) =>
  (one as ChildConsole).post("/v1/runs", { workflow: once.name, input: { customer } }, key) as Promise<Answer>;
const rows = async <Row>(text: string, ...values: unknown[]) => (await database.pool.query(text, values)).rows as Row[];
const runsOf = (customer: string) =>
  rows<{ id: string }>(
    "select id from handrail.run where workflow = $1 and singleton_key = $2 order by id",
    once.name,
    customer,
  );
const countedFor = async (customer: string) =>
  (await rows<{ n: number }>("select cardinality(starts) as n from handrail.throttle where key = $1", customer))[0]?.n;

describe.each<CommitMoment>(["before", "after"])("a console killed %s the commit of a start", (moment) => {
  it("leaves the run with its key and its count, or nothing of them", async () => {
    const customer = `killed-${moment}`;
    const key = `request-${moment}`;
    const dying = await ChildConsole.spawn(database, { workflows: WORKFLOWS, diesAtCommit: moment });
    const lost = startOn(dying, customer, key).catch(() => "lost");
    expect(await dying.untilEnded()).toBe("SIGKILL");
    expect(await lost).toBe("lost");

    const written = moment === "after" ? 1 : 0;
    expect([(await runsOf(customer)).length, await countedFor(customer)]).toEqual(written ? [1, 1] : [0, undefined]);
    const other = await startOn(consoles[0], customer, `other-${moment}`);
    const again = await startOn(consoles[1], customer, key);
    const [run, ...others] = await runsOf(customer);
    expect([others, await countedFor(customer)]).toEqual([[], 1]);
    const [kept, refused] = moment === "after" ? [again, other] : [other, again];
    expect(kept).toMatchObject({ status: 201, body: { id: run?.id } });
    const beside = { code: "singleton_conflict", details: { runId: run?.id } };
    expect(refused).toMatchObject({ status: 409, body: { error: beside } });
  });
});

it("starts at one instant by two consoles, the library and SQL are one live run, and all others learn of it", async () => {
  const inRoom = workflows.find(({ name }) => name === "in-room") as (typeof workflows)[number];
  const db = poolDb(database.pool);
  for (let round = 0; round < 5; round++) {
    const customer = `contended-${round}`;
    const over = (one: ChildConsole | undefined) =>
      (one as ChildConsole).post("/v1/runs", { workflow: inRoom.name, input: { customer } }) as Promise<Answer>;
    const byCode = async (): Promise<Answer> =>
      insertRunOnce(db, await prepareStart(inRoom, { customer })).then(
        ({ id }) => ({ status: 201, body: { id } }) as Answer,
        ({ code, details }) => ({ status: 409, body: { error: { code, details } } }) as Answer,
      );
    const [, ...answers] = await Promise.all([
      rows("select handrail.start_run('in-room', $1)", JSON.stringify({ customer })),
      ...[0, 1, 0, 1].map((index) => over(consoles[index])),
      ...[byCode(), byCode(), byCode()],
    ]);
    const started = answers.filter(({ status }) => status === 201);
    expect(started).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 201)
        expect([status, body.error]).toEqual([
          409,
          expect.objectContaining({
            code: "singleton_conflict",
            details: expect.objectContaining({ runId: started[0]?.body.id }),
          }),
        ]);
  }
});
