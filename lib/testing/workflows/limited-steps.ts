import pg from "pg";
import { z } from "zod";
import { defineLimit } from "../../engine/queues/step-limit";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** Steps of two workflows that call one provider, two of them at once. */
const provider = defineLimit({ name: "provider", concurrency: 2 });

/** As the provider sees it: a call is over with its end, or with the claim of its caller. */
async function callProvider(runId: string): Promise<number> {
  const client = new pg.Client({ connectionString: process.env.PROVIDER_URL });
  await client.connect();
  try {
    const { rows } = await client.query(
      `with calls as (
        insert into provider_call (run_id, epoch) select id, epoch from handrail.run where id = $1 returning id
      )
      select id, (select count(*)::int from provider_call as other join handrail.run on run.id = other.run_id
        where run.epoch = other.epoch and run.worker_id is not null and other.ended_at is null) as beside from calls`,
      [runId],
    );
    await new Promise((resume) => setTimeout(resume, 15));
    await client.query("update provider_call set ended_at = clock_timestamp() where id = $1", [rows[0].id]);
    return rows[0].beside;
  } finally {
    await client.end();
  }
}

const calling = (name: string) =>
  defineWorkflow({ name, input: z.object({}) }, async (ctx) => {
    const first = await ctx.step("first", () => callProvider(ctx.run.id), { limit: provider });
    const second = await ctx.step("second", () => callProvider(ctx.run.id), { limit: provider });
    return Math.max(first, second);
  });

export const workflows = [calling("calls-one"), calling("calls-other")] as const;
