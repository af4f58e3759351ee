import { defineEvent, defineWorkflow, type TransactionOf } from "handrail";
import { defineConfig, defineSchedule } from "handrail/config";
import { pgTransactions } from "handrail/pg";
import pg from "pg";
import { z } from "zod";

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
pool.on("connect", (client) => client.on("error", () => undefined));
const transactions = pgTransactions(pool);

/** A client of the app's, which steps find as `ctx.services.greeter`. */
class Greeter {
  async greet(name: string): Promise<string> {
    // The first worker stays here until it is killed.
    if (process.env.APP_STAYS) await new Promise(() => setInterval(() => undefined, 1_000));
    return `Hello ${name}`;
  }
}

declare module "handrail" {
  interface Register {
    transaction: TransactionOf<typeof transactions>;
  }
  interface Services {
    greeter: Greeter;
  }
}

export const answered = defineEvent({ name: "answered", payload: z.object({ by: z.string() }) });

export const greeting = defineWorkflow(
  { name: "greeting", input: z.object({ name: z.string() }), events: [answered] },
  async (ctx, { name }) => {
    await ctx.transaction("first", async (tx) => {
      await tx.query("insert into app_row values ('first')");
    });
    const text = await ctx.step("greet", () => ctx.services.greeter.greet(name));
    await ctx.transaction("second", async (tx) => {
      await tx.query("insert into app_row values ('second')");
    });
    const { by } = await ctx.waitForEvent("answered", { event: answered, key: name });
    // @ts-expect-error The app has no such service.
    ctx.services.nothing;
    return { text, by };
  },
);

export default defineConfig({
  workflows: [greeting],
  schedules: [defineSchedule({ name: "daily", workflow: greeting, everyMs: 86_400_000, input: { name: "day" } })],
  services: { greeter: new Greeter() },
  transactions,
  name: "app",
});
