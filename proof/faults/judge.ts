import { examine } from "../../lib/store/database/doctor";
import type { Promised } from "../../lib/store/database/doctor-rules";
import { poolDb } from "../../lib/store/db";
import type { TestDatabase } from "../../lib/testing/database/database";
import { type History, historyOf } from "../../lib/testing/database/history";
import { whatWasSeen } from "../../lib/testing/database/witness";
import { EFFECT_CHECKS } from "./effects";
import { crowds, FLOW_CHECKS, hours, startedTwice } from "./flow-checks";
import { begunInPauses } from "./pauses";
import type { Rig } from "./rig";
import type { GivenRun } from "./stage";
import { lookAtWorld, type World } from "./world";

export interface Violation {
  promise: Promised;
  what: string;
  workflow?: string;
  runId?: string;
}

/** Compares the database with what happened outside: only an empty list is correct. */
export async function judge(rig: Rig, database: TestDatabase, given: readonly GivenRun[]): Promise<Violation[]> {
  const world = await lookAtWorld(rig);
  const found = [
    ...(await askDoctor(database)),
    ...(await compareBalances(database)),
    ...(await compareBodies(database, world, given)),
  ];
  for (const run of given) {
    const history = await historyOf(database.pool, run.id).catch(() => undefined);
    const about = { workflow: run.workflow, runId: run.id };
    if (!history) {
      found.push({ promise: "P1", what: "the acknowledged start is gone", ...about });
      continue;
    }
    if (!run.mayBe.includes(history.run.status)) found.push({ promise: "P1", what: notEnded(run, history), ...about });
    const evidence = { run, history, world, pool: database.pool, lostAt: await lostClaimsOf(database, run) };
    const violations = (await { ...EFFECT_CHECKS, ...FLOW_CHECKS }[run.workflow]?.(evidence)) ?? [];
    found.push(...violations.map(([promise, what]) => ({ promise, what, ...about })));
  }
  return found;
}

/** What holds of all bodies of a trial together. */
async function compareBodies({ pool }: TestDatabase, world: World, given: readonly GivenRun[]): Promise<Violation[]> {
  const ids = new Set(given.map(({ id }) => id));
  const bodies = world.bodies.filter(({ runId }) => ids.has(runId));
  const paused = await begunInPauses(pool, bodies);
  const broken = [...startedTwice(bodies), ...(await crowds(pool, bodies)), ...(await hours(pool))];
  return [
    ...broken.map(([promise, what]) => ({ promise, what })),
    ...paused.map(({ runId, step }) => ({ promise: "P9" as const, what: `"${step}" began in a paused run`, runId })),
  ];
}

async function lostClaimsOf({ pool }: TestDatabase, { id }: GivenRun): Promise<Date[]> {
  const { rows } = await pool.query<{ at: Date }>("select lost_at as at from handrail.lost_claim where run_id = $1", [
    id,
  ]);
  return rows.map(({ at }) => at);
}

function notEnded({ mayBe }: GivenRun, { run }: History): string {
  const { status, waiting_kind: kind, waiting_step: step, attention, due_at: due, worker_id: worker, error } = run;
  const told = JSON.stringify({ kind, step, attention, due, worker, error: error?.message });
  return `the run is ${status}, where it should be ${mayBe.join(" or ")}: ${told}`;
}

/** The doctor's rules that are broken, and what the witness saw. */
export async function askDoctor({ pool }: TestDatabase): Promise<Violation[]> {
  const findings = await examine(poolDb(pool));
  const broken = findings.flatMap(({ rule, hits, unanswered }) =>
    [...hits, ...(unanswered ? [unanswered] : [])].map((hit) => ({
      promise: rule.promise,
      what: `${rule.name}: ${JSON.stringify(hit)}`,
    })),
  );
  const seen = (await whatWasSeen(pool)).map(({ promise, what, before, after }) => ({
    promise: promise as Promised,
    what: `${what}: ${JSON.stringify({ before, after })}`,
  }));
  return [...broken, ...seen];
}

async function compareBalances({ pool }: TestDatabase): Promise<Violation[]> {
  const { rows } = await pool.query<{ id: string }>(`
    select account.id from demo.account left join demo.account_entry on account_id = account.id
    group by account.id having balance_cents <> coalesce(sum(amount_cents), 0)`);
  return rows.map(({ id }) => ({ promise: "P2", what: `the balance of ${id} is not the sum of its entries` }));
}
