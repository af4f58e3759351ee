import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Knex } from "knex";
import type { Kysely, Transaction } from "kysely";
import type { Sql, TransactionSql } from "postgres";
import type { DataSource, EntityManager } from "typeorm";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { PgTransaction } from "../engine/workflows/step-options";
import { defineWorkflow } from "../engine/workflows/workflow";
import type { Prisma, PrismaClient } from "../generated/prisma/client";
import { createHandrail, type Handrail } from "../library/create-handrail";
import { ADAPTERS, type OpenAdapter } from "../testing/adapters/adapter-cases";
import { adapterWorkflow } from "../testing/adapters/adapter-workflow";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { historyOf } from "../testing/database/history";
import { expectInvariants } from "../testing/database/invariants";
import { callWitness } from "../testing/database/witness";
import { oneIn } from "../testing/sample";
import type { TransactionOf } from "./adapter";
import type { drizzleTransactions } from "./drizzle";
import type { knexTransactions } from "./knex";
import type { kyselyTransactions } from "./kysely";
import type { pgTransactions } from "./pg";
import type { postgresTransactions } from "./postgres";
import type { prismaTransactions } from "./prisma";
import type { typeormTransactions } from "./typeorm";

const noWork = async () => null;

describe.each(oneIn(4, Object.keys(ADAPTERS)))("transactions of %s", (name) => {
  let database: TestDatabase;
  let adapter: OpenAdapter;
  let handrail: Handrail<unknown>;
  const seen = { bodies: 0 };
  const rows = async () => (await database.pool.query("select run_id from adapter_row")).rows.map((row) => row.run_id);

  const say = (tx: unknown, sql: string) => adapter.say(tx, sql);
  const written = adapterWorkflow({ say });
  /** Each body writes a row, and then does what a body must not do. */
  const ending = (how: string, end: (tx: unknown) => Promise<unknown>) =>
    defineWorkflow({ name: `ending-${how}`, input: z.object({}), retry: { initialDelayMs: 1 } }, (ctx) =>
      ctx.transaction("write", async (tx) => {
        seen.bodies++;
        await say(tx, `insert into adapter_row values ('${ctx.run.id}')`);
        await end(tx);
      }),
    );
  const refused = {
    commit: ending("commit", (tx) => say(tx, "commit")),
    chain: ending("chain", (tx) => say(tx, "commit and chain")),
    rollback: ending("rollback", (tx) => say(tx, "rollback")),
    library: ending("library", (tx) => adapter.commit?.(tx) ?? say(tx, "commit")),
  };
  const undone = defineWorkflow({ name: "undone", input: z.object({}), onFailure: "compensate" }, async (ctx) => {
    await ctx.transaction(
      "write",
      (tx) => say(tx, `insert into adapter_row values ('${ctx.run.id}')`).then(() => null),
      {
        compensate: (_, { tx }) => say(tx, `delete from adapter_row where run_id = '${ctx.run.id}'`),
      },
    );
    await ctx.step("fail", () => Promise.reject(new Error("on purpose")), { retry: { maxAttempts: 1 } });
  });
  const failing = defineWorkflow({ name: "failing", input: z.object({}), retry: { initialDelayMs: 1 } }, (ctx) =>
    ctx.transaction("write", async (tx, { attempt }) => {
      await say(tx, `insert into adapter_row values ('attempt ${attempt}')`);
      if (attempt === 1) await say(tx, "select 1 / 0");
    }),
  );

  const limited = defineWorkflow(
    { name: "limited", input: z.object({}), throttle: { limit: 5, perMs: 60_000 } },
    noWork,
  );
  const single = defineWorkflow({ name: "single", input: z.object({}), singleton: { onConflict: "existing" } }, noWork);

  beforeAll(async () => {
    database = await createTestDatabase();
    await callWitness(database.pool);
    await database.pool.query("create table adapter_row (run_id text not null)");
    adapter = (await ADAPTERS[name]?.(database.url)) as OpenAdapter;
    const workflows = [written, ...Object.values(refused), undone, failing, limited, single];
    handrail = createHandrail({ workflows, databaseUrl: database.url, transactions: adapter.transactions });
    await handrail.worker({ concurrency: 3 }).start();
  });
  afterAll(async () => {
    await expectInvariants(database.pool);
    await handrail.close();
    await adapter.close();
    await database.drop();
  });

  it("start a run with their commit, which writes its rows with its checkpoint", async () => {
    const started: { id: string }[] = [];
    await adapter.transaction(async (tx) => {
      await say(tx, "insert into adapter_row values ('order')");
      started.push(await handrail.start(written, {}, { tx, idempotencyKey: "order", tags: { kind: `it's "?"` } }));
    });
    const [{ id } = { id: "" }] = started;
    expect((await handrail.start(written, {}, { idempotencyKey: "order" })).created).toBe(false);
    expect(await handrail.run(id, written).result()).toEqual({ output: "written" });
    expect(await rows()).toEqual(["order", id]);
    const { steps, run } = await historyOf(database.pool, id);
    expect(steps).toMatchObject([{ kind: "transaction", status: "completed", attempt: 1, output: "written" }]);
    expect(run.tags).toEqual({ kind: `it's "?"` });
  });

  it.each([
    ["a key of a throttled workflow", limited, { idempotencyKey: `{"a", NULL} \\ it's` }],
    ["a singleton", single, {}],
  ])("start one run for %s, however often", async (kind, workflow, options) => {
    const started: { id: string; created: boolean }[] = [];
    await adapter.transaction(async (tx) => {
      await say(tx, `insert into adapter_row values ('${kind}')`);
      for (let start = 0; start < 2; start++) started.push(await handrail.start(workflow, {}, { tx, ...options }));
    });
    const { id } = started[0] as { id: string };
    expect(started).toMatchObject([
      { id, created: true },
      { id, created: false },
    ]);
    expect(await rows()).toContain(kind);
    await handrail.run(id, workflow).result();
  });

  it("start no run and send no event when they roll back", async () => {
    const started: string[] = [];
    const rolledBack = adapter.transaction(async (tx) => {
      await say(tx, "insert into adapter_row values ('rolled back')");
      started.push((await handrail.start(written, {}, { tx })).id);
      await handrail.send("order.paid", { cents: 1 }, { tx, key: "A-1" });
      throw new Error("changed my mind");
    });
    await expect(rolledBack).rejects.toThrow("changed my mind");
    await expect(handrail.run(started[0] as string).status()).rejects.toMatchObject({ code: "unknown_run" });
    expect((await database.pool.query("select from handrail.event")).rowCount).toBe(0);
    expect(await rows()).not.toContain("rolled back");
  });

  it("keep nothing of a failed attempt", async () => {
    await (await handrail.start(failing, {})).result();
    expect(await rows()).toContain("attempt 2");
    expect(await rows()).not.toContain("attempt 1");
  });

  it("write a compensation's rows with its record", async () => {
    const run = await handrail.start(undone, {});
    await expect(run.result()).rejects.toMatchObject({ code: "run_failed", details: { status: "compensated" } });
    expect(await rows()).not.toContain(run.id);
  });

  it.each(Object.keys(refused) as (keyof typeof refused)[])("are not the body's to end: %s", async (how) => {
    seen.bodies = 0;
    const run = await handrail.start(refused[how], {});
    await expect(run.result()).rejects.toMatchObject({ cause: { code: "transaction_ended" } });
    expect(seen.bodies).toBe(1);
    expect((await historyOf(database.pool, run.id)).steps).toMatchObject([{ status: "failed", output: null }]);
    expect((await rows()).filter((id) => id === run.id)).toHaveLength(how === "rollback" ? 0 : 1);
  });
});

it("are typed as those of the app's own client", () => {
  interface Tables {
    order: { id: string };
  }
  const drizzled = { order: {} };
  type Drizzled = NodePgDatabase<typeof drizzled>;
  type DrizzleTx = Parameters<Parameters<Drizzled["transaction"]>[0]>[0];

  expectTypeOf<
    Started<typeof prismaTransactions<Prisma.TransactionClient>>
  >().toEqualTypeOf<Prisma.TransactionClient>();
  expectTypeOf<PrismaClient>().toExtend<Parameters<typeof prismaTransactions<Prisma.TransactionClient>>[0]>();
  expectTypeOf<Started<typeof kyselyTransactions<Tables>>>().toEqualTypeOf<Transaction<Tables>>();
  expectTypeOf<Kysely<Tables>>().toExtend<Parameters<typeof kyselyTransactions<Tables>>[0]>();
  expectTypeOf<Started<typeof knexTransactions>>().toEqualTypeOf<Knex.Transaction>();
  expectTypeOf<Started<typeof typeormTransactions>>().toEqualTypeOf<EntityManager>();
  expectTypeOf<DataSource>().toExtend<Parameters<typeof typeormTransactions>[0]>();
  expectTypeOf<Started<typeof postgresTransactions<{ point: number }>>>().toEqualTypeOf<
    TransactionSql<{ point: number }>
  >();
  expectTypeOf<Sql<{ point: number }>>().toExtend<Parameters<typeof postgresTransactions<{ point: number }>>[0]>();
  expectTypeOf<Started<typeof pgTransactions>>().toEqualTypeOf<PgTransaction>();
  type Drizzling = ReturnType<
    typeof drizzleTransactions<import("drizzle-orm/node-postgres").NodePgQueryResultHKT, typeof drizzled>
  >;
  expectTypeOf<DrizzleTx>().toExtend<TransactionOf<Drizzling>>();
  // What is no transaction is refused.
  expectTypeOf<Kysely<Tables>>().not.toExtend<Started<typeof kyselyTransactions<Tables>>>();
  expectTypeOf<string>().not.toExtend<Started<typeof pgTransactions>>();
});

/** The `tx` of `start` for an app with this adapter. */
type Started<Make extends (...given: never[]) => unknown> = NonNullable<
  NonNullable<Parameters<Handrail<TransactionOf<ReturnType<Make>>>["start"]>[2]>["tx"]
>;
