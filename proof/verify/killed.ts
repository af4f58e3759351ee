import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { workflows } from "../../demo/workflows/index";
import { prepareStart } from "../../lib/engine/runs/start";
import { sendWork } from "../../lib/store/database/notify";
import { type Db, poolDb } from "../../lib/store/db";
import { insertRunOnce } from "../../lib/store/runs/start-run";
import { endLeases } from "../../lib/store/workers/end-leases";
import { takeOverLostRuns } from "../../lib/store/workers/take-over";
import { ChildWorker, type Fault as Place } from "../../lib/testing/processes/crash";
import { restOf } from "../../lib/testkit/at-rest";
import { letTimePass } from "../../lib/testkit/clock";
import { readTestRun, type TestRun } from "../../lib/testkit/read-run";
import { Answers } from "../../lib/verify/answers";
import { askedOfPeople } from "../../lib/verify/asked-of-people";
import { frozen, idsOfRuns } from "../../lib/verify/observation";
import type { Verification } from "../../lib/verify/verify";

const WORKFLOWS = fileURLToPath(new URL("./child-app.ts", import.meta.url));
/** A dead child's lease is ended by hand. */
const LEASE_MS = 30_000;
const NAMES = workflows.map(({ name }) => name);
const LOOK_MS = 10;
/** Looks in a row that find nothing to do: a child may be about to claim what has just come due. */
const QUIET_LOOKS = 20;
const PATIENCE_MS = 60_000;

export interface KilledRun extends Pick<TestRun, "status"> {
  asks: boolean;
  /** Whether a child was killed at the place. */
  struck: boolean;
  observation: unknown;
}

/** One run by workers in processes of their own, the first of which is killed at the place; until nothing goes on by itself. */
export async function runKilled(
  { url, pool }: { url: string; pool: Pool },
  { workflow, options }: Verification,
  input: unknown,
  place?: Place,
): Promise<KilledRun> {
  const db = poolDb(pool);
  const children = [spawn(url, place)];
  const start = await prepareStart(workflow, input, { idempotencyKey: "verify" });
  const { id } = await insertRunOnce(db, start);
  const answers = new Answers({ pool, db }, options.answers ?? {});
  try {
    for (let quiet = 0, deadline = performance.now() + PATIENCE_MS; quiet < QUIET_LOOKS; ) {
      if (performance.now() > deadline) throw new Error("The run neither ends nor waits.");
      if (children.at(-1)?.hasEnded) {
        await bury(db, pool);
        children.push(spawn(url));
      }
      await delay(LOOK_MS);
      const { restless, timerMs } = await restOf(pool, NAMES);
      quiet = restless.length === 0 ? quiet + 1 : 0;
      if (quiet === QUIET_LOOKS && (await goesOn({ db, pool, timerMs }, id, answers))) quiet = 0;
    }
    const { status } = await readTestRun(pool, id);
    const { asks } = await askedOfPeople(pool, id);
    const world = await options.world({ databaseUrl: url });
    const observation = frozen(await world.observe(), await idsOfRuns(pool));
    return { status, asks, observation, struck: children.length > 1 };
  } finally {
    await Promise.all(children.map((child) => child.kill()));
  }
}

const spawn = (url: string, fault?: Place) =>
  ChildWorker.spawn({ url }, { workflows: WORKFLOWS, leaseMs: LEASE_MS, ...(fault && { fault }) });

/** What is left of the children that are dead. */
async function bury(db: Db, pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ id: number }>("select id::int from handrail.worker where stopped_at is null");
  await endLeases(
    db,
    rows.map(({ id }) => id),
  );
  await takeOverLostRuns(db);
}

/** Gives it what it waits for: an answer, or time. */
async function goesOn(
  { db, pool, timerMs }: { db: Db; pool: Pool; timerMs: number | null },
  runId: string,
  answers: Answers,
): Promise<boolean> {
  if (!(await answers.giveNext(runId))) {
    if (timerMs === null) return false;
    await letTimePass(pool, Math.max(1, timerMs));
  }
  await sendWork(db);
  return true;
}
