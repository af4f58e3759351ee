import type { Pool, PoolClient } from "pg";
import { hasEnded } from "../../engine/runs/run";
import { isBlob } from "../../engine/values/blob";
import { decodeValue } from "../../engine/values/codec";
import type { SerializedError } from "../../engine/values/serialized-error";
import { opened, openedStep } from "../../store/payloads";
import type { AttemptRow, CompensationRow, RunRow, StepRow } from "../../store/rows";
import { until } from "../until";

type Decoded<Row> = Omit<Row, "output" | "error"> & { output: unknown; error: SerializedError | null };

/** All rows of one run, decoded. */
export interface History {
  run: Decoded<RunRow> & { deadline_at: Date | null; lost_claims: number; singleton_key: string | null };
  /** In order of position; including superseded ones. */
  steps: (Decoded<StepRow> & { doubt: string | null })[];
  attempts: (Omit<AttemptRow, "error"> & { error: SerializedError | null })[];
  /** In reverse order of completion: the order in which they are due. */
  compensations: (Omit<CompensationRow, "error"> & { error: SerializedError | null; started_at: Date | null })[];
  lostClaims: number;
}

const QUERIES = {
  run: "select *, epoch::int, revision::int, worker_id::int from handrail.run where id = $1",
  steps: "select *, worker_id::int from handrail.step where run_id = $1 order by position, generation",
  attempts: "select *, worker_id::int from handrail.attempt where run_id = $1 order by step, generation, number",
  compensations: "select * from handrail.compensation where run_id = $1 order by position desc",
  lost: "select count(*)::int as count from handrail.lost_claim where run_id = $1",
};

/** A snapshot at one instant, however quickly the run continues. */
export async function historyOf(pool: Pool, runId: string): Promise<History> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const history = await readHistory(client, runId);
    await client.query("commit");
    return history;
  } finally {
    client.release(client.getTransactionStatus() !== "I");
  }
}

async function readHistory(client: PoolClient, runId: string): Promise<History> {
  const rows = async <Row>(text: string) => (await client.query(text, [runId])).rows as Row[];
  const [run] = await rows<RunRow & { deadline_at: Date | null; lost_claims: number; singleton_key: string | null }>(
    QUERIES.run,
  );
  if (!run) throw new Error(`There is no run ${runId}.`);
  const [lost] = await rows<{ count: number }>(QUERIES.lost);
  return {
    run: decoded({
      ...run,
      input: opened([runId, "input"], run.input),
      output: opened([runId, "output"], run.output),
    }),
    steps: (await rows<StepRow & { doubt: string | null }>(QUERIES.steps)).map((step) =>
      decoded(openedStep(runId, step)),
    ),
    attempts: (await rows<AttemptRow>(QUERIES.attempts)).map(withError),
    compensations: (await rows<CompensationRow & { started_at: Date | null }>(QUERIES.compensations)).map(withError),
    lostClaims: lost?.count ?? 0,
  };
}

const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as SerializedError));

function withError<Row extends { error: string | null }>(
  row: Row,
): Omit<Row, "error"> & { error: SerializedError | null } {
  return { ...row, error: parsed(row.error) };
}

function decoded<Row extends { output: string | null; error: string | null }>(row: Row): Decoded<Row> {
  const output = row.output === null ? null : isBlob(row.output) ? JSON.parse(row.output) : decodeValue(row.output);
  return { ...withError(row), output } as Decoded<Row>;
}

/** Waits until `holds` accepts the run's history, and returns it. */
export async function untilRun(
  pool: Pool,
  runId: string,
  holds: (history: History) => boolean,
  what = "What the test waits for",
): Promise<History> {
  let last: History | undefined;
  try {
    return await until(what, async () => {
      last = await historyOf(pool, runId);
      return holds(last) ? last : undefined;
    });
  } catch (error) {
    throw new Error(`${what} of run ${runId} did not happen. Its history: ${shown(last)}`, {
      cause: error,
    });
  }
}

const shown = (history: History | undefined) =>
  JSON.stringify(history, (key, value) => (key === "stack" || key === "input" ? undefined : value))?.slice(0, 4_000);

export const untilEnded = (pool: Pool, runId: string) =>
  untilRun(pool, runId, ({ run }) => hasEnded(run.status), "The end");

/** A timer that ends sooner is only a pause. */
const PAUSE_MS = 5_000;

/** Ended, or waiting for a person or a distant timer: not one whose worker was lost and that waits for its turn. */
export const untilResting = (pool: Pool, runId: string) =>
  untilRun(
    pool,
    runId,
    ({ run }) =>
      run.worker_id === null &&
      run.status !== "pending" &&
      !(run.status === "compensating" && run.waiting_kind === null) &&
      (run.due_at === null || (run.due_at as Date).getTime() > Date.now() + PAUSE_MS),
    "The rest",
  );
