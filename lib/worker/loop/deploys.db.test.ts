import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { deployBefore, markDeploy, readDeploys } from "../../operator/deploys/deploys";
import { poolDb } from "../../store/db";
import { deleteOldDeploys } from "../../store/deploys/deploys";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { register } from "./register";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.pool.query("truncate handrail.deploy, handrail.worker, handrail.workflow"));
afterAll(() => database.drop());

const db = () => poolDb(database.pool);
const orders = (version: number) => defineWorkflow({ name: "orders", version, input: z.any() }, async () => undefined);
const starts = (build: string | null, workflows = [orders(1)]) =>
  register(db(), { name: "a worker", concurrency: 1, leaseMs: 60_000, workflows, build });
/** A minute ago. */
const stopped = async () => {
  await database.pool.query("update handrail.worker set stopped_at = clock_timestamp() - interval '1 minute'");
  await database.pool.query("update handrail.deploy set at = at - interval '1 minute'");
};
const marks = async () => (await readDeploys(db(), { limit: 50 })).deploys;
const names = async () => (await marks()).map(({ name }) => name).reverse();
const NAMES = { version: null, commit: null, url: null, at: null };
const COMMIT = "9f3c2d1e00aa55ff9f3c2d1e00aa55ff9f3c2d1e";

it("a new build is marked once, however many workers start with it at the same time", async () => {
  await Promise.all(Array.from({ length: 12 }, () => starts("a1")));
  expect(await names()).toEqual(["a1"]);
  await Promise.all(Array.from({ length: 12 }, (_, index) => starts(index % 2 ? "b2" : "c3")));
  expect((await names()).sort()).toEqual(["a1", "b2", "c3"]);
});

it("going back is a deploy, too, once no worker has that build; a restart, or a straggler of a rolling deploy, is none", async () => {
  await starts("a1");
  await starts("b2");
  await starts("a1");
  expect(await names()).toEqual(["a1", "b2"]);
  await stopped();
  await starts("b2");
  expect(await names()).toEqual(["a1", "b2"]);
  await stopped();
  await starts("a1");
  expect(await names()).toEqual(["a1", "b2", "a1"]);
});

it("without a build, new versions of known workflows are marked once; the first of an installation are not", async () => {
  await starts(null, [orders(1), orders(2)]);
  expect(await names()).toEqual([]);
  await Promise.all(Array.from({ length: 8 }, () => starts(null, [orders(3)])));
  expect(await marks()).toMatchObject([
    { name: "orders v3", by: null, url: null, workflows: [{ workflow: "orders", versions: [3] }] },
  ]);
  const mails = defineWorkflow({ name: "mails", input: z.any() }, async () => undefined);
  await starts(null, [orders(3), mails]);
  expect(await names()).toEqual(["orders v3", "mails v1"]);
});

it("the pipeline's mark and the workers' build are one deploy, whichever comes first", async () => {
  const mark = { ...NAMES, version: "1.4.0", commit: COMMIT, url: "https://ci.example/7" };
  await starts("a1");
  await markDeploy(aDesk(db()), mark);
  await starts("9f3c2d1", [orders(2)]);
  const whole = { ...mark, at: expect.any(String), name: "9f3c2d1", build: "9f3c2d1", by: "operator" };
  const brought = [{ workflow: "orders", versions: [2] }];
  expect((await marks())[0]).toMatchObject({ ...whole, workflows: brought });
  await database.pool.query("truncate handrail.deploy, handrail.worker");
  await starts("9f3c2d1", [orders(3)]);
  const { status } = await markDeploy(aDesk(db()), mark);
  expect(status).toBe(200);
  expect(await marks()).toMatchObject([{ ...whole, workflows: [{ workflow: "orders", versions: [3] }] }]);
});

it("pipelines that mark at the same time make one mark, and each has its row in the audit log", async () => {
  const rows = async () =>
    (await database.pool.query("select after from handrail.audit where act = 'mark_deploy' order by id")).rows;
  const before = (await rows()).length;
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => markDeploy(aDesk(db()), { ...NAMES, commit: COMMIT })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
  expect(await names()).toEqual(["9f3c2d1"]);
  const added = (await rows()).slice(before);
  expect(added.map(({ after }) => after)).toEqual(
    Array(6).fill(expect.objectContaining({ commit: COMMIT, deployId: "1" })),
  );
});

it("a mark of the past stands at its time; one that no chart can show is refused", async () => {
  const ago = (ms: number) => new Date(Date.now() - ms);
  await markDeploy(aDesk(db()), { ...NAMES, version: "2" });
  await markDeploy(aDesk(db()), { ...NAMES, version: "1", at: ago(3_600_000) });
  expect(await names()).toEqual(["1", "2"]);
  for (const at of [ago(-3_600_000), ago(401 * 86_400_000)])
    await expect(async () => markDeploy(aDesk(db()), { ...NAMES, version: "3", at })).rejects.toThrow(
      /The time of the deploy is/,
    );
  expect(await deployBefore(db(), "orders", ago(60_000))).toMatchObject({ name: "1" });
  expect(await deployBefore(db(), "orders", ago(2 * 3_600_000))).toBeNull();
});

it("a reader of some workflows sees of a deploy only what concerns them", async () => {
  await starts(null, [orders(1)]);
  await starts(null, [orders(2)]);
  await markDeploy(aDesk(db()), { ...NAMES, version: "7" });
  const of = async (workflow: string) =>
    (await readDeploys(db(), { workflow: [workflow], limit: 1 })).deploys.map(({ name }) => name);
  expect(await of("orders")).toEqual(["7"]);
  const first = await readDeploys(db(), { workflow: ["mails"], limit: 1 });
  expect(first).toMatchObject({ deploys: [{ name: "7", workflows: [] }], nextCursor: null });
  const page = await readDeploys(db(), { workflow: ["orders"], limit: 1 });
  const next = await readDeploys(db(), { workflow: ["orders"], limit: 1, cursor: page.nextCursor as string });
  expect(next).toMatchObject({ deploys: [{ name: "orders v2" }], nextCursor: null });
});

it("old marks are deleted in batches, and the last one stays: a restart is no deploy a year later", async () => {
  await starts("a1");
  await database.pool.query(`
    insert into handrail.deploy (id, at, build) select 1 + n, clock_timestamp() - interval '500 days', 'old-' || n
    from generate_series(1, 30) n`);
  await database.pool.query(
    "update handrail.deploy set at = clock_timestamp() - interval '450 days' where build = 'a1'",
  );
  expect(await deleteOldDeploys(db(), 20)).toBe(20);
  expect(await deleteOldDeploys(db(), 20)).toBe(10);
  expect(await names()).toEqual(["a1"]);
  await stopped();
  await starts("a1");
  expect(await names()).toEqual(["a1"]);
});
