import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { examine } from "../store/database/doctor";
import { type Db, poolDb } from "../store/db";
import { PROBLEM_RULES } from "../store/problems/problem-rules";
import { lockRun } from "../store/runs/lock-run";
import { rerunFailed } from "../store/runs/rerun";
import { foldAll } from "../worker/duties/problem-loop";
import { setFaultHandler } from "../worker/fault-points";
import { createTestDatabase, type TestDatabase } from "./database/database";

interface ProblemRow {
  id: string;
  [column: string]: unknown;
}

export const REFUSED = (port: number) => `connect ECONNREFUSED 127.0.0.1:${port}`;

const errorOf = (message: string) => JSON.stringify({ name: "Error", message });

/** A database in which failures are folded by hand. After each test the doctor finds its problems in order. */
export function aProblemDatabase() {
  let database: TestDatabase;
  const db = (): Db => poolDb(database.pool);
  const rows = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await database.pool.query(text, values)).rows as Row[];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterEach(async () => {
    setFaultHandler(undefined);
    const broken = (await examine(db(), PROBLEM_RULES)).filter(({ hits }) => hits.length > 0);
    expect(broken).toEqual([]);
  });
  afterAll(() => database.drop());

  return {
    get database() {
      return database;
    },
    db,
    rows,
    foldAllNow: () => foldAll(db(), () => false),
    problemsOf: (workflow: string) =>
      rows<ProblemRow>("select * from handrail.problem where workflow = $1 order by first_at, id", [workflow]),

    /** Failed runs as rows, each in one statement and transaction: the trigger sees the same as for a worker. */
    async failed(workflow: string, messages: readonly string[], { version = 1, step = "charge" } = {}) {
      const inserted = await rows<{ id: string }>(
        `insert into handrail.run (id, workflow, version, status, input, attention, failed_step, error, started_at, finished_at)
         select gen_random_uuid(), $1, $3, 'failed', '{}', 'failed', $4, error, now(), now() from unnest($2::text[]) as given (error) returning id`,
        [workflow, messages.map(errorOf), version, step],
      );
      return inserted.map(({ id }) => id);
    },

    rerun: (runId: string) =>
      db().transaction(async (tx) => {
        await lockRun(tx, runId);
        await rerunFailed(tx, runId, false);
      }),

    failsAgain: (runId: string, message: string) =>
      rows(
        "update handrail.run set status = 'failed', attention = 'failed', failed_step = 'charge', error = $2, finished_at = now() where id = $1",
        [runId, errorOf(message)],
      ),
  };
}
