import { OpenWorkflow } from "openworkflow";
import { BackendPostgres } from "openworkflow/postgres";
import pg from "pg";
import { inFlight, steps } from "./work.mjs";

/** 200 runs at a time; its polls and its pool are the library's own. */
export async function open({ url, role }) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const backend = await BackendPostgres.connect(url, { runMigrations: role === "client" });
  const client = new OpenWorkflow({ backend });
  const workflow = client.defineWorkflow({ name: "steps" }, ({ input, step }) =>
    steps(input.count, (name, body) => step.run({ name }, async () => body())),
  );
  return {
    prepare: () => undefined,
    work: () => client.newWorker({ concurrency: 200 }).start(),
    enqueue: (runs, count) => inFlight(20, runs, () => workflow.run({ count })),
    async runToEnd(count) {
      const handle = await workflow.run({ count });
      return handle.result();
    },
    async ended() {
      const { rows } = await pool.query(
        "select count(*)::int as n from openworkflow.workflow_runs where status in ('completed', 'succeeded')",
      );
      return rows[0].n;
    },
  };
}
