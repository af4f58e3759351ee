import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../engine/workflows/workflow";
import { createHandrail } from "../library/create-handrail";
import { ADAPTERS, type OpenAdapter } from "../testing/adapters/adapter-cases";
import { createTestDatabase } from "../testing/database/database";
import { historyOf } from "../testing/database/history";
import { oneIn } from "../testing/sample";

/** postgres.js then writes to a socket that it has given up, and ends the process: porsager/postgres#1208. */
const SURVIVING = Object.keys(ADAPTERS).filter((name) => !/postgres[.-]js/.test(name));

it.each(oneIn(3, SURVIVING))(
  "a transaction of %s begins again after the end of its session, which is no failure of the step",
  async (name) => {
    const database = await createTestDatabase();
    const adapter = (await ADAPTERS[name]?.(database.url)) as OpenAdapter;
    await database.pool.query("create table adapter_row (run_id text not null)");
    let bodies = 0;
    const cut = defineWorkflow({ name: "cut", input: z.object({}) }, (ctx) =>
      ctx.transaction("write", async (tx) => {
        await adapter.say(tx, `insert into adapter_row values ('${ctx.run.id}')`);
        if (++bodies === 1) await adapter.say(tx, "select pg_terminate_backend(pg_backend_pid())");
      }),
    );
    const { transactions } = adapter;
    const handrail = createHandrail({ workflows: [cut], databaseUrl: database.url, transactions });
    await handrail.worker().start();
    const run = await handrail.start(cut, {});
    await run.result();
    expect(bodies).toBe(2);
    expect((await historyOf(database.pool, run.id)).steps).toMatchObject([{ attempt: 1, failures: 0 }]);
    expect((await database.pool.query("select run_id from adapter_row")).rows).toEqual([{ run_id: run.id }]);
    await handrail.close();
    await adapter.close();
    await database.drop();
  },
);
