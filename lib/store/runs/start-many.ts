import { v7 as uuidv7 } from "uuid";
import type { RunToStart } from "../../engine/runs/start";
import type { Db, Statement } from "../db";
import { type Column, givenRows, givenValues } from "../given-rows";
import { opened, withSealedInput } from "../payloads";
import { storedTags } from "../tag-values";
import { insertManyRuns, type StartedRun, startedBefore } from "./start-run";
import { type Keyed, mayCompare, type Starter } from "./starter";

type KeyedRow = RunToStart & { id: string; owner: string | null; place: number };

const COLUMNS: readonly Column<KeyedRow>[] = [
  ["place", "int", ({ place }) => place],
  ["id", "uuid", ({ id }) => id],
  ["workflow", "text", ({ workflow }) => workflow],
  ["version", "int", ({ version }) => version],
  ["input", "text", ({ input }) => input],
  ["tags", "jsonb", ({ tags }) => storedTags(tags)],
  ["run_at", "timestamptz", ({ runAt }) => runAt?.toISOString() ?? null],
  ["delay_ms", "float8", ({ delayMs }) => delayMs],
  ["priority", "int", ({ priority }) => priority],
  ["queue_key", "text", ({ queueKey }) => queueKey],
  ["idempotency_key", "text", ({ idempotencyKey }) => idempotencyKey],
  ["key_owner", "text", ({ owner }) => owner],
  ["run_title", "text", ({ runTitle }) => runTitle],
  ["trace", "text", ({ trace }) => trace ?? null],
];

/*
 * Guarantee: as for one start with a key, for each of them. Races with: other starts with the same keys; all insert in
 * the same order of keys (`byKey`), so that two batches cannot deadlock.
 */
const insertKeyed: Statement = {
  name: "insert-keyed-runs",
  text: `
    with inserted as (
      insert into handrail.run (id, workflow, version, input, tags, due_at, priority, queue_key, idempotency_key, key_owner, run_title, trace)
      select id, workflow, version, input, nullif(tags, '{}'),
        case when run_at > clock_timestamp() then run_at
          when delay_ms > 0 then clock_timestamp() + delay_ms * interval '1 ms' end, priority, queue_key, idempotency_key, key_owner, run_title, trace
      from ${givenRows(COLUMNS, 1)}
      order by place
      on conflict (idempotency_key, workflow) where idempotency_key is not null do nothing
      returning id, tags
    ), tagged as (
      insert into handrail.run_tag (name, value, run_id)
      select tag.key, tag.value, inserted.id from inserted, jsonb_each_text(inserted.tags) tag
    )
    select id::text from inserted`,
};

const findKeyed: Statement = {
  name: "find-runs-by-keys",
  text: `
    select run.id::text, run.input, run.workflow, run.idempotency_key as key, run.key_owner as owner
    from unnest($1::text[], $2::text[]) as given (workflow, key)
    join handrail.run on run.idempotency_key = given.key and run.workflow = given.workflow`,
};

interface Found extends Keyed {
  key: string;
}

/**
 * Starts all or none (see `prepareStarts`), and returns them in order. Debounced starts go one by one. A start with an
 * idempotency key may have been made before, also earlier in the same call.
 * @param starter as for one start
 * @throws HandrailError `idempotency_conflict` as for one start; nothing is started then
 */
export function insertRunsOnce(db: Db, runs: readonly RunToStart[], starter?: Starter): Promise<StartedRun[]> {
  const asked = runs.map((run, index) => ({ run, index }));
  const keyless = asked.filter(({ run }) => run.idempotencyKey === null);
  const keyed = asked.filter(({ run }) => run.idempotencyKey !== null).sort(byKey);
  return db.transaction(async (tx) => {
    const started: StartedRun[] = new Array(runs.length);
    for (const some of portionsOf(keyless)) {
      const ids = await insertManyRuns(tx, runsOf(some));
      for (const [place, { index }] of some.entries()) started[index] = { id: ids[place] as string, created: true };
    }
    for (const some of portionsOf(keyed)) {
      const found = await startKeyed(tx, runsOf(some), starter);
      for (const [place, { index }] of some.entries()) started[index] = found[place] as StartedRun;
    }
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
  const [first, second] = [nameOf(one.workflow, one.idempotencyKey), nameOf(other.workflow, other.idempotencyKey)];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

const nameOf = (workflow: string, key: string | null) => `${workflow} ${key}`;

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

async function startKeyed(tx: Db, runs: readonly RunToStart[], starter?: Starter): Promise<StartedRun[]> {
  const rows = runs.map((run, place) => ({ ...run, place, id: uuidv7(), owner: starter?.owner ?? null }));
  const inserted = new Set(
    (await tx.query<{ id: string }>(insertKeyed, givenValues(COLUMNS, rows.map(withSealedInput)))).map(({ id }) => id),
  );
  const rest = rows.filter(({ id }) => !inserted.has(id));
  const earlier = new Map<string, Found>();
  if (rest.length > 0) {
    const values = [rest.map(({ workflow }) => workflow), rest.map(({ idempotencyKey }) => idempotencyKey)];
    for (const row of await tx.query<Found>(findKeyed, values))
      earlier.set(nameOf(row.workflow, row.key), { ...row, input: opened([row.id, "input"], row.input) });
  }
  const comparable = await mayCompare(tx, [...earlier.values()], starter);
  return Promise.all(
    rows.map(async (run) => {
      if (inserted.has(run.id)) return { id: run.id, created: true };
      const before = earlier.get(nameOf(run.workflow, run.idempotencyKey));
      // Deleted by retention between the two statements, long after its end: start again.
      if (!before) return (await startKeyed(tx, [run], starter))[0] as StartedRun;
      return startedBefore(run, before, comparable);
    }),
  );
}
