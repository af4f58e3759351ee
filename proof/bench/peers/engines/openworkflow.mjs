import { OpenWorkflow } from "openworkflow";
import { BackendPostgres } from "openworkflow/postgres";
import pg from "pg";
import { family, inFlight, steps } from "./work.mjs";

/** 200 runs at a time; its polls and its pool are the library's own. A step cannot commit with the app's rows. */
export async function open({ url, role }) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const backend = await BackendPostgres.connect(url, { runMigrations: role === "client" });
  const client = new OpenWorkflow({ backend });
  const one = client.defineWorkflow({ name: "steps" }, ({ input, step }) =>
    steps(input.count, (name, body) => step.run({ name }, async () => body())),
  );
  const workflows = {
    steps: one,
    family: client.defineWorkflow({ name: "family" }, ({ input, step }) =>
      family(input.count, (name) => step.runWorkflow(one.workflow.spec, { count: 1 }, { name })),
    ),
  };
  return {
    kinds: Object.keys(workflows),
    prepare: () => undefined,
    work: () => client.newWorker({ concurrency: 200 }).start(),
    enqueue: (kind, runs, count) => inFlight(20, runs, () => workflows[kind].run({ count })),
    async runToEnd(kind, count) {
      const handle = await workflows[kind].run({ count });
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
