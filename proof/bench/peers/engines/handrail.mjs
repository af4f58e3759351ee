// biome-ignore lint/correctness/noUndeclaredDependencies: installed as this repository packs it (home.ts)
import { createHandrail, defineWorkflow } from "handrail";
import pg from "pg";
import { z } from "zod";
import { CREDIT, credits, family, inFlight, steps } from "./work.mjs";

/** As its README says: one process has the worker, another starts runs. All settings are the defaults. */
const input = z.object({ count: z.number() });
const one = defineWorkflow({ name: "steps", input }, (ctx, { count }) =>
  steps(count, (name, body) => ctx.step(name, body)),
);
const workflows = {
  steps: one,
  credits: defineWorkflow({ name: "credits", input }, (ctx, { count }) =>
    credits(count, (name, account) => ctx.transaction(name, async (tx) => void (await tx.query(CREDIT, [account])))),
  ),
  family: defineWorkflow({ name: "family", input }, (ctx, { count }) =>
    family(count, (name) => ctx.child(name, one, { count: 1 })),
  ),
};

export async function open({ url }) {
  const handrail = createHandrail({ workflows: Object.values(workflows), databaseUrl: url });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const start = (kind, count) => handrail.start(workflows[kind], { count });
  return {
    kinds: Object.keys(workflows),
    prepare: () => handrail.migrate(),
    work: () => handrail.worker().start(),
    enqueue: (kind, runs, count) => inFlight(20, runs, () => start(kind, count)),
    runToEnd: async (kind, count) => (await (await start(kind, count)).result({ timeoutMs: 60_000 })).output,
    async ended() {
      const { rows } = await pool.query("select count(*)::int as n from handrail.run where status = 'completed'");
      return rows[0].n;
    },
  };
}
