import { describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { poolDb } from "../../lib/store/db";
import { compensate, markCompensated } from "../../lib/testing/actions";
import { createTestDatabase, type TestDatabase } from "../../lib/testing/database/database";
import { type History, historyOf, untilEnded, untilResting } from "../../lib/testing/database/history";
import { expectInvariants } from "../../lib/testing/database/invariants";
import { callWitness } from "../../lib/testing/database/witness";
import { aDesk } from "../../lib/testing/desk";
import { ChildWorker, type Fault } from "../../lib/testing/processes/crash";
import { A_PNG, theOutsideWorld } from "../../lib/testing/processes/outside-world";
import { childrenOf, untilFamilyRests } from "../../lib/testing/rows/family";
import { oneIn } from "../../lib/testing/sample";
import { driftScene } from "../../lib/testing/scenes/drift-scene";
import {
  EVERY_CLAIM,
  ONCE_STEP,
  PLAIN_STEP,
  rowsOf,
  SAME_FOR_ALL,
  type Scene,
  TRANSACTION,
} from "../../lib/testing/scenes/fault-scene";
import { BESIDE_THE_RUNS, PASSED_ELSEWHERE } from "../../lib/testing/scenes/passed-elsewhere";
import { refundScene } from "../../lib/testing/scenes/refund-scene";
import { start, startWorker } from "../../lib/testing/workers/a-worker";
import { FAULT_POINTS, type FaultPoint, setFaultHandler } from "../../lib/worker/fault-points";
import { startSandbox } from "../sandbox/server";
import { workflows } from "./index";

/*
 * A worker process is killed at every boundary that a sample workflow passes, and another worker goes on. The providers
 * and the app's tables end up as if nothing had happened, except for a mail with an unknown outcome. The dead worker's
 * lease is ended manually: a short one would not outlive the start of a process on a busy machine. Leases that expire
 * are tested in lib/worker.
 */

const world = theOutsideWorld(startSandbox);

/** Completed, or waiting for an operator about one mail that may have been sent; in any case, no mail twice. */
async function judgeMails({ run, steps }: History, to: string, all: number): Promise<void> {
  const mails = await world.mails(to);
  expect(new Set(mails.map(({ subject }) => subject)).size).toBe(mails.length);
  if (run.status === "completed") return expect(mails).toHaveLength(all);
  expect(run).toMatchObject({ status: "waiting", waiting_kind: "operator", attention: "outcome_unknown" });
  expect(steps.filter(({ status }) => status === "unknown")).toMatchObject([
    { effect: "once", name: run.waiting_step },
  ]);
}

const order = (id: string) => ({ orderId: id, amountCents: 4_900, email: `${id}@example.com` });

const orderFulfilled: Scene["judge"] = async (history, id, database) => {
  const charges = await world.charges(id);
  expect(charges).toHaveLength(1);
  expect(await rowsOf(database, `select status, charge_id from demo."order" where id = $1`, [id])).toEqual([
    { status: "paid", charge_id: charges[0]?.id },
  ]);
  expect(await rowsOf(database, "select quantity from demo.stock_reservation where order_id = $1", [id])).toEqual([
    { quantity: 1 },
  ]);
  await judgeMails(history, order(id).email, 1);
};

/** Runs the order to its end, and has an operator compensate it; the letter to the customer is written. */
async function fulfilledAndToBeUndone(database: TestDatabase, runId: string): Promise<void> {
  const worker = await startWorker(database, workflows);
  await untilEnded(database.pool, runId);
  await worker.stop();
  const desk = aDesk(poolDb(database.pool));
  await compensate(desk, { runId, reason: "the customer changed their mind" });
  await markCompensated(desk, { runId, step: "send-confirmation", outcome: "compensated", note: "written" });
}

const SCENES: Record<string, Scene> = {
  "order-fulfilment": {
    workflow: "order-fulfilment",
    input: order,
    passes: [...EVERY_CLAIM, ...PLAIN_STEP, ...ONCE_STEP, ...TRANSACTION],
    also: [
      { point: "step:before-body", detail: "charge-payment" },
      { point: "step:after-body", detail: "charge-payment" },
      { point: "step:before-body", detail: "send-confirmation" },
      { point: "step:after-body", detail: "send-confirmation" },
      { point: "transaction:before-commit", detail: "reserve-stock" },
      { point: "transaction:after-commit", detail: "reserve-stock" },
      { point: "flush:before", passage: 3 },
      { point: "flush:after", passage: 3 },
    ],
    judge: orderFulfilled,
  },
  "order-fulfilment, undone": {
    workflow: "order-fulfilment",
    input: order,
    before: fulfilledAndToBeUndone,
    passes: [
      "claim:before",
      "claim:after",
      "compensation:before-start-mark",
      "compensation:before-body",
      "compensation:after-body",
      "compensation:after-record",
    ],
    also: [
      { point: "compensation:before-body", detail: "charge-payment" },
      { point: "compensation:after-body", detail: "charge-payment" },
      { point: "compensation:after-record", detail: "charge-payment" },
      { point: "compensation:after-body", detail: "create-order" },
      { point: "compensation:after-record", detail: "create-order" },
    ],
    judge: async ({ run }, id, database) => {
      expect(run).toMatchObject({ status: "compensated", attention: null });
      const [charge] = await world.charges(id);
      expect(await world.refunds(charge?.id as string)).toHaveLength(1);
      expect(await rowsOf(database, `select status from demo."order" where id = $1`, [id])).toEqual([
        { status: "cancelled" },
      ]);
      expect(await rowsOf(database, "select from demo.stock_reservation where order_id = $1", [id])).toEqual([]);
    },
  },
  "profile-image": {
    workflow: "profile-image",
    input: (id) => ({ userId: id, image: A_PNG }),
    passes: [
      ...EVERY_CLAIM,
      "queue:before-take",
      "queue:after-take",
      "queue:before-commit",
      ...PLAIN_STEP,
      ...TRANSACTION,
    ],
    except: SAME_FOR_ALL,
    judge: async ({ run }, id, database) => {
      expect(run.status).toBe("completed");
      const [profile] = await rowsOf(database, "select image_key from demo.profile where user_id = $1", [id]);
      expect(profile).toEqual({ image_key: `profiles/${run.id}.png` });
      expect(await world.blob(profile.image_key)).toBeDefined();
    },
  },
  "account-credit": {
    workflow: "account-credit",
    input: (id) => ({ accountId: id, amountCents: 700 }),
    passes: [...EVERY_CLAIM, ...PLAIN_STEP, ...TRANSACTION],
    except: SAME_FOR_ALL,
    judge: async ({ run }, id, database) => {
      expect(run).toMatchObject({ status: "completed", output: { accountId: id, balanceCents: 700 } });
      const entries = "select amount_cents, run_id from demo.account_entry where account_id = $1";
      expect(await rowsOf(database, entries, [id])).toEqual([{ amount_cents: 700, run_id: run.id }]);
      expect(await rowsOf(database, "select balance_cents::int from demo.account where id = $1", [id])).toEqual([
        { balance_cents: 700 },
      ]);
    },
  },
  "order-batch": {
    workflow: "order-batch",
    input: (id) => ({ orderIds: [1, 2, 3, 4, 5, 6].map((item) => `${id}-${item}`) }),
    passes: [...EVERY_CLAIM, ...PLAIN_STEP],
    except: SAME_FOR_ALL,
    also: [
      { point: "step:after-body", passage: 4 },
      { point: "flush:after", passage: 5 },
    ],
    judge: async ({ run }, id) => {
      expect(run).toMatchObject({ status: "completed", output: { charged: 6 } });
      const charges = await world.charges(`${id}-`);
      expect(charges.map(({ orderId }) => orderId).sort()).toEqual([1, 2, 3, 4, 5, 6].map((item) => `${id}-${item}`));
      // Only the one under whose body the worker died was asked for again.
      expect(charges.filter(({ requests }) => requests > 1).length).toBeLessThanOrEqual(1);
    },
  },
  "welcome-reminder": {
    workflow: "welcome-reminder",
    input: (id) => ({ email: `${id}@example.com`, delaySeconds: 0.15 }),
    passes: [...EVERY_CLAIM, ...PLAIN_STEP, ...ONCE_STEP, "run:before-suspend"],
    also: [
      { point: "step:after-start-mark", detail: "send-reminder" },
      { point: "step:after-body", detail: "send-reminder" },
      { point: "claim:after", passage: 2 },
    ],
    judge: (history, id) => judgeMails(history, `${id}@example.com`, 2),
  },
  "refund-request": refundScene,
  "delivery-letter, begun by another version": driftScene(async (to) => {
    expect(await world.mails(to)).toHaveLength(1);
  }),
  "batch-fulfilment": {
    workflow: "batch-fulfilment",
    input: (id) => ({ batchId: id, orders: [order(`${id}a`), order(`${id}b`)] }),
    rest: untilFamilyRests,
    passes: [
      ...EVERY_CLAIM,
      ...PLAIN_STEP,
      ...ONCE_STEP,
      ...TRANSACTION,
      "run:before-suspend",
      "wake:before",
      "wake:after",
    ],
    except: [...SAME_FOR_ALL.filter((point) => point !== "run:after-end"), ...PLAIN_STEP, ...ONCE_STEP, ...TRANSACTION],
    also: [
      { point: "run:after-end", passage: 2 },
      { point: "claim:after", passage: 2 },
      { point: "flush:before", passage: 2 },
      { point: "wake:before", passage: 2 },
    ],
    judge: async ({ run }, id, database) => {
      const children = await childrenOf(database.pool, run.id);
      const histories = await Promise.all(children.map((child) => historyOf(database.pool, child)));
      expect(histories.map(({ run: child }) => (child.tags as { orderId: string }).orderId).sort()).toEqual([
        `${id}a`,
        `${id}b`,
      ]);
      for (const history of histories)
        await orderFulfilled(history, (history.run.tags as { orderId: string }).orderId, database);
      if (histories.some(({ run: child }) => child.status !== "completed"))
        return expect(run).toMatchObject({ status: "waiting", waiting_kind: "child" });
      expect(run).toMatchObject({ status: "completed", output: { fulfilled: 2 } });
    },
  },
  "user-sync": {
    workflow: "user-sync",
    input: () => ({}),
    passes: [...EVERY_CLAIM, ...PLAIN_STEP, ...TRANSACTION],
    except: SAME_FOR_ALL,
    also: [
      { point: "transaction:before-commit", passage: 5 },
      { point: "transaction:after-commit", passage: 9 },
    ],
    judge: async ({ run, steps }, _, database) => {
      expect(run).toMatchObject({ status: "completed", output: { synced: 12 } });
      expect(steps.every(({ status }) => status === "completed")).toBe(true);
      expect(await rowsOf(database, "select from demo.synced_user", [])).toHaveLength(12);
    },
  },
};

/** Passed by the worker that takes over, not by a workflow. */
const PASSED_BY_THE_COMPLETER: readonly FaultPoint[] = ["takeover:before", "takeover:after"];

let ids = 0;
/** A name that no other case has, and that the services can identify by its prefix. */
const newId = () => `case-${process.pid}-${++ids}-`.toLowerCase();

type Finally = TestContext["onTestFinished"];

async function aScene({ workflow, version, input, before }: Scene, atEnd: Finally) {
  const database = await createTestDatabase();
  atEnd(() => database.drop());
  await callWitness(database.pool);
  const id = newId();
  const definition = workflows.find((one) => one.name === workflow && one.version === (version ?? one.version));
  if (!definition) throw new Error(`There is no workflow ${workflow}.`);
  const runId = await start(poolDb(database.pool), definition, input(id));
  await before?.(database, runId);
  return { database, id, runId };
}

async function killedAt(database: TestDatabase, fault: Fault, atEnd: Finally): Promise<void> {
  const victim = ChildWorker.spawn(database, { leaseMs: 20_000, fault, env: world.env() });
  atEnd(() => victim.kill());
  expect(await victim.untilEnded()).toBe("SIGKILL");
  await database.pool.query(
    "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where stopped_at is null",
  );
}

const restOf = ({ rest }: Scene, database: TestDatabase, runId: string) =>
  rest ? rest(database.pool, runId) : untilResting(database.pool, runId);

async function survivedBy(
  { database, runId, id }: Awaited<ReturnType<typeof aScene>>,
  scene: Scene,
  atEnd: Finally,
): Promise<void> {
  const survivor = await startWorker(database, workflows, { connections: 4 });
  atEnd(() => survivor.stop(100));
  const history = await restOf(scene, database, runId);
  await survivor.stop();
  await scene.judge(history, id, database);
  await expectInvariants(database.pool);
}

describe("the fault points", () => {
  it("are all passed by some sample workflow, or by the worker that takes over", () => {
    const passed = new Set([
      ...PASSED_BY_THE_COMPLETER,
      ...PASSED_ELSEWHERE,
      ...Object.values(SCENES).flatMap(({ passes }) => passes),
    ]);
    expect([...passed].sort()).toEqual([...FAULT_POINTS].sort());
  });

  it.each(Object.keys(SCENES))("that %s passes are those of its table", async (name) => {
    const scene = SCENES[name] as Scene;
    const { database, id, runId } = await aScene(scene, onTestFinished);
    const passed = new Set<FaultPoint>();
    setFaultHandler((point) => void (BESIDE_THE_RUNS.includes(point) || passed.add(point)));
    const worker = await startWorker(database, workflows);
    const history = await restOf(scene, database, runId);
    await worker.stop();
    setFaultHandler(undefined);
    expect([...passed].sort()).toEqual([...scene.passes].sort());
    await scene.judge(history, id, database);
  });
});

describe.concurrent("a worker that is killed", () => {
  const cases = Object.entries(SCENES).flatMap(([name, scene]) =>
    [...killsOf(scene), ...(scene.also ?? [])].map((fault) => [name, shown(fault), fault] as const),
  );

  for (const [name, what, fault] of oneIn(10, cases))
    it(`under ${name} at ${what} is survived`, async ({ onTestFinished: atEnd }) => {
      const scene = SCENES[name] as Scene;
      const staged = await aScene(scene, atEnd);
      await killedAt(staged.database, fault, atEnd);
      await survivedBy(staged, scene, atEnd);
    });

  for (const point of PASSED_BY_THE_COMPLETER)
    it(`while it takes over, at ${point}, is survived`, async ({ onTestFinished: atEnd }) => {
      const scene = SCENES["order-fulfilment"] as Scene;
      const staged = await aScene(scene, atEnd);
      await killedAt(staged.database, { point: "step:after-body", detail: "charge-payment" }, atEnd);
      await killedAt(staged.database, { point }, atEnd);
      await survivedBy(staged, scene, atEnd);
    });
});

function killsOf({ passes, except = [] }: Scene): Fault[] {
  return passes.filter((point) => !except.includes(point)).map((point) => ({ point }));
}

function shown({ point, detail, passage }: Fault): string {
  return `${point}${detail ? ` of ${detail}` : ""}${passage ? `, passage ${passage}` : ""}`;
}
