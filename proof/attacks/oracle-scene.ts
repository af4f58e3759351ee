import { z } from "zod";
import { defineSchedule } from "../../lib/engine/schedules/schedule";
import { defineWorkflow, type Workflow } from "../../lib/engine/workflows/workflow";
import { codeHere } from "../../lib/engine/workflows/workflow-code";
import { poolDb } from "../../lib/store/db";
import { syncSchedules } from "../../lib/store/schedules/sync-schedules";
import { registerWorkflows } from "../../lib/store/workers/workers";
import { anApiWithSignIn } from "../../lib/testing/api/with-sign-in";
import { aRun } from "../../lib/testing/rows/a-run";
import sampleApp from "../../lib/testing/sample-app";
import { foldAll } from "../../lib/worker/duties/problem-loop";

/** Masked in every run of the scene. */
export const SECRET = { text: "anna.target@example.com", number: 734812 };
/** Of the same shape, but not in any run. */
const DECOY = { text: "bert.nobody@example.com", number: 734813 };
const INPUT = { email: SECRET.text, pin: SECRET.number, byEmail: { [SECRET.text]: 1 }, note: "nothing" };

/** One of two identical scenes: a caller who may not see masked values types one word wherever they can. */
export interface World {
  workflow: string;
  word: typeof SECRET;
  runs: Record<"failed" | "probed" | "unknown" | "asking" | "compensating" | "asleep" | "completed" | "queued", string>;
  schedule: string;
  problemId: string;
  /** Makes more of its runs. */
  run: ReturnType<typeof aRun>;
}

/**
 * Two scenes, identical to the byte except for the names of their workflows. Call it in `beforeAll`. `workflows`: those whose code
 * the console has.
 */
export async function twoWorlds() {
  const api = await anApiWithSignIn();
  const { server } = await import("../../lib/server");
  const db = poolDb(api.database.pool);
  const workflows: Workflow[] = [...sampleApp.workflows];
  Object.assign(server(), { code: codeHere(workflows) });
  const world = async (kind: string, word: typeof SECRET): Promise<World> => {
    const workflow = `vault-${kind}`;
    const guarded = defineWorkflow(
      {
        name: workflow,
        input: z.unknown(),
        masked: ["email", "pin"],
        fourEyes: ["skip"],
        concurrency: { limit: 1, key: () => "lane" },
      },
      async () => null,
    );
    await registerWorkflows(db, [guarded]);
    workflows.push(guarded);
    const schedule = `${workflow}-daily`;
    await syncSchedules(db, [
      defineSchedule({
        name: schedule,
        workflow: guarded,
        everyMs: 86_400_000,
        input: { note: "nothing" },
        overlap: "allow",
      }),
    ]);
    const run = aRun(db, { workflow, input: JSON.stringify(INPUT) });
    const runs = {
      failed: await run.failedAt("charge-payment"),
      probed: await run.failedAt("charge-payment"),
      unknown: await run.waitingUnknown("charge-payment"),
      asking: await run.asking("ask", ["yes", "no"]),
      compensating: await run.compensating(),
      asleep: await run.asleepAfter("create-order"),
      completed: await run.completed(),
      queued: await run.pending(),
    };
    await api.database.pool.query("update handrail.run set queue_key = $2 where id = $1", [runs.queued, SECRET.text]);
    await foldAll(db, () => false);
    const held = await api.database.pool.query("select problem_id from handrail.problem_run where run_id = $1", [
      runs.failed,
    ]);
    return { workflow, word, runs, schedule, problemId: held.rows[0].problem_id, run };
  };
  const worlds = { guess: await world("guess", SECRET), decoy: await world("decoy", DECOY) };
  return { ...api, db, ...worlds, workflows };
}

export type Scene = Awaited<ReturnType<typeof twoWorlds>>;
