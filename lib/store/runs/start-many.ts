import { type RunToStart, refusedAt } from "../../engine/runs/start";
import type { Db } from "../db";
import { startKeyed } from "./start-keyed";
import { insertManyRuns, insertRunOnce } from "./start-run";
import { nameOf, type StartedRun, type Starter } from "./starter";

/**
 * Starts all or none (see `prepareStarts`), and returns them in order. Debounced starts go one by one. A start with an
 * idempotency key may have been made before, also earlier in the same call.
 * @param starter as for one start
 * @throws HandrailError `idempotency_conflict` and `singleton_conflict` as for one start, `details.index` names it; nothing is started then
 */
export function insertRunsOnce(db: Db, runs: readonly RunToStart[], starter?: Starter): Promise<StartedRun[]> {
  const asked = runs.map((run, index) => ({ run, index }));
  const throttles = asked.filter(({ run }) => run.throttle).sort(byKey);
  const isKeyed = ({ run }: AskedStart) =>
    !run.throttle && (run.idempotencyKey !== null || run.singleton !== undefined);
  const keyless = asked.filter((start) => !start.run.throttle && !isKeyed(start));
  const keyed = asked.filter(isKeyed).sort(byKey);
  return db.transaction(async (tx) => {
    const started: StartedRun[] = new Array(runs.length);
    const hasStarted = (id: string) => started.some((run) => run?.id === id && run.created);
    for (const some of portionsOf(keyless)) {
      const ids = await insertManyRuns(tx, runsOf(some));
      for (const [place, { index }] of some.entries()) started[index] = { id: ids[place] as string, created: true };
    }
    for (const some of portionsOf(keyed)) {
      const refuse = (place: number, error: unknown) => refusedAt(some[place]?.index as number, error);
      const found = await startKeyed(tx, runsOf(some), starter, { refuse, hasStarted });
      for (const [place, { index }] of some.entries()) started[index] = found[place] as StartedRun;
    }
    for (const { run, index } of throttles)
      started[index] = await insertRunOnce(tx, run, starter).catch((error) => refusedAt(index, error));
    return started;
  });
}

/** A start and its index in the request: the same start may be in it twice. */
interface AskedStart {
  run: RunToStart;
  index: number;
}

const runsOf = (some: readonly AskedStart[]) => some.map(({ run }) => run);

/** By code units: the same order in every process, whatever the database's collation. */
function byKey({ run: one }: AskedStart, { run: other }: AskedStart): number {
  const [first, second] = [orderOf(one), orderOf(other)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

const orderOf = ({ workflow, throttle, singleton, idempotencyKey }: RunToStart) =>
  JSON.stringify([nameOf(workflow, throttle?.key ?? null), singleton?.key, idempotencyKey]);

/** Per statement: serializing its parameters blocks the event loop for a few milliseconds. */
const RUNS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 524_288;

function* portionsOf(asked: readonly AskedStart[]): Iterable<AskedStart[]> {
  let some: AskedStart[] = [];
  let characters = 0;
  for (const start of asked) {
    some.push(start);
    characters += start.run.input.length;
    if (some.length < RUNS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield some;
    some = [];
    characters = 0;
  }
  if (some.length > 0) yield some;
}
