// biome-ignore lint/correctness/noUndeclaredDependencies: installed as this repository packs it (home.ts)
import { createHandrail, defineWorkflow } from "handrail";
import pg from "pg";
import { z } from "zod";
import { inFlight, steps } from "./work.mjs";

/** As its README says: one process has the worker, another starts runs. All settings are the defaults. */
const workflow = defineWorkflow({ name: "steps", input: z.object({ count: z.number() }) }, (ctx, { count }) =>
  steps(count, (name, body) => ctx.step(name, body)),
);

export async function open({ url }) {
  const handrail = createHandrail({ workflows: [workflow], databaseUrl: url });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return {
    prepare: () => handrail.migrate(),
    work: () => handrail.worker().start(),
    enqueue: (runs, count) => inFlight(20, runs, () => handrail.start(workflow, { count })),
    async runToEnd(count) {
      const run = await handrail.start(workflow, { count });
      return (await run.result({ timeoutMs: 60_000 })).output;
    },
    async ended() {
      const { rows } = await pool.query("select count(*)::int as n from handrail.run where status = 'completed'");
      return rows[0].n;
    },
  };
}
