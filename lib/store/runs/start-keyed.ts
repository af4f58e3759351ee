import { isMaskedTag } from "../../engine/privacy/masked-tags";
import { singletonConflict } from "../../engine/queues/singleton";
import { throttled } from "../../engine/queues/throttle";
import type { RunToStart } from "../../engine/runs/start";
import { type Db, type Statement, sqlState } from "../db";
import { type Column, givenRows, givenValues } from "../given-rows";
import { opened, withSealedInput } from "../payloads";
import { newRunId } from "../run-id";
import { storedTags } from "../tag-values";
import { keptKey } from "./debounce";
import { afterDue, dueAt } from "./due-sql";
import { holdersOf } from "./singleton";
import { type Keyed, mayCompare, nameOf, type StartedRun, type Starter, startedBefore } from "./starter";
import { storedHeaders } from "./stored-headers";
import { giveStartBack, takeStart } from "./throttle";

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
  ["singleton_key", "text", ({ singleton }) => singleton?.key ?? null],
  ["begin_within_ms", "float8", ({ beginWithinMs }) => beginWithinMs ?? null],
  ["end_within_ms", "float8", ({ endWithinMs }) => endWithinMs ?? null],
  ["chosen_version", "int", ({ pinned, version }) => (pinned ? version : null)],
  ["headers", "jsonb", storedHeaders],
];

/*
 * Guarantee: as for one start with a key, for each of them; and of a singleton key one run lives (`run_singleton`).
 * Races with: other starts with the same keys; all insert in the same order of keys (`byKey`), so that two batches
 * cannot deadlock. The end of the run that has a singleton key: a start waits for its transaction, then takes the key.
 */
const insertKeyed: Statement = {
  name: "insert-keyed-runs",
  text: `
    with inserted as (
      insert into handrail.run (id, workflow, version, input, tags, due_at, priority, queue_key, idempotency_key, key_owner, run_title, trace, singleton_key,
        begin_by, deadline_at, chosen_version, headers)
      select id, workflow, version, input, nullif(tags, '{}'),
        ${dueAt("run_at", "delay_ms")}, priority, queue_key, idempotency_key, key_owner, run_title, trace, singleton_key,
        ${afterDue("run_at", "delay_ms", "begin_within_ms")}, ${afterDue("run_at", "delay_ms", "end_within_ms")}, chosen_version, headers
      from ${givenRows(COLUMNS, 1)}
      order by place
      on conflict do nothing
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

/** What starts are a part of. */
interface Call {
  /** Throws why a start is refused, which its place names. */
  refuse(place: number, error: unknown): never;
  /** The run is one that the same call has started: it is gone with the refusal. */
  hasStarted(runId: string): boolean;
}

const ALONE: Call = {
  refuse(_, error) {
    throw error;
  },
  hasStarted: () => false,
};

/**
 * Starts with an idempotency key, a singleton key or both, in order.
 * @throws HandrailError `idempotency_conflict`, `singleton_conflict`
 */
export async function startKeyed(
  tx: Db,
  runs: readonly RunToStart[],
  starter?: Starter,
  call = ALONE,
): Promise<StartedRun[]> {
  const rows = await rowsOf(tx, runs, starter);
  const inserted = new Set(
    (await tx.query<{ id: string }>(insertKeyed, givenValues(COLUMNS, rows.map(withSealedInput)))).map(({ id }) => id),
  );
  const rest = rows.filter(({ id }) => !inserted.has(id));
  const earlier = await startedWithKeys(tx, rest);
  const holders = await holdersOf(tx, singletonKeys(rest));
  const comparable = await mayCompare(tx, [...earlier.values()], starter);
  const isOurs = (id: string) => inserted.has(id) || call.hasStarted(id);
  const startedOf = async (run: KeyedRow): Promise<StartedRun> => {
    const before = run.idempotencyKey !== null && earlier.get(nameOf(run.workflow, run.idempotencyKey));
    const holder = run.singleton && holders.get(nameOf(run.workflow, run.singleton.key));
    if (inserted.has(run.id)) return { id: run.id, created: true };
    if (before) return startedBefore(run, before, comparable);
    if (holder) return joined(run, holder, isOurs);
    // Since the insert, the run with its idempotency key was deleted, or the one with its singleton key has ended.
    return (await startKeyed(tx, [run], starter))[0] as StartedRun;
  };
  const started: StartedRun[] = [];
  for (const [place, run] of rows.entries())
    started.push(await startedOf(run).catch((error) => call.refuse(place, error)));
  return started;
}

/**
 * A start of a workflow with `throttle`. A repeated one, with the idempotency key of an earlier one, does not count.
 * @throws HandrailError `throttled`, and as `start`; nothing is counted then
 */
export function startThrottled(
  db: Db,
  run: RunToStart,
  starter: Starter | undefined,
  start: (tx: Db, run: RunToStart) => Promise<StartedRun>,
): Promise<StartedRun> {
  return db.transaction(async (tx) => {
    const { throttle: declared, ...free } = run;
    if (!declared) return start(tx, run);
    const throttle = { ...declared, key: await ownKey(tx, run, declared.key, starter) };
    const before = await startedEarlier(tx, free, starter);
    if (before) return before;
    const waitMs = await takeStart(tx, run.workflow, throttle);
    if (waitMs !== null) {
      // The start that this one waited for may have been the same one.
      const same = await startedEarlier(tx, free, starter);
      if (same) return same;
      // A live run of its singleton key would have been its answer, which does not count.
      const [row] = await rowsOf(tx, [free], starter);
      const [holder] = (await holdersOf(tx, singletonKeys([row as KeyedRow]))).values();
      if (holder !== undefined) return joined(free, holder);
      throw throttled(run.workflow, throttle, waitMs);
    }
    // The caller's transaction may go on after an error.
    const giveBack = () => giveStartBack(tx, run.workflow, throttle);
    const started = await start(tx, free).catch(async (error) => {
      if (sqlState(error) === undefined) await giveBack();
      throw error;
    });
    if (!started.created) await giveBack();
    return started;
  });
}

async function startedEarlier(tx: Db, run: RunToStart, starter?: Starter): Promise<StartedRun | undefined> {
  if (run.idempotencyKey === null) return undefined;
  const [found] = (await startedWithKeys(tx, [run])).values();
  return found && startedBefore(run, found, await mayCompare(tx, [found], starter));
}

/** A key as stored. As a debounce key: joining or being refused would reveal that there is a run with a masked value. */
const ownKey = async (tx: Db, run: RunToStart, key: string, starter?: Starter): Promise<string> =>
  isMaskedTag(key) ? keptKey(tx, run, key, starter) : key;

async function rowsOf(tx: Db, runs: readonly RunToStart[], starter?: Starter): Promise<KeyedRow[]> {
  const owner = starter?.owner ?? null;
  const rows: KeyedRow[] = [];
  for (const [place, run] of runs.entries()) {
    const { singleton } = run;
    rows.push({
      ...run,
      ...{ place, id: run.large?.id ?? newRunId(), owner: run.idempotencyKey === null ? null : owner },
      ...(singleton && { singleton: { ...singleton, key: await ownKey(tx, run, singleton.key, starter) } }),
    });
  }
  return rows;
}

const singletonKeys = (rows: readonly KeyedRow[]) =>
  rows.flatMap(({ workflow, singleton }) => (singleton ? [{ workflow, key: singleton.key }] : []));

async function startedWithKeys(tx: Db, rows: readonly RunToStart[]): Promise<Map<string, Found>> {
  const keyed = rows.filter(({ idempotencyKey }) => idempotencyKey !== null);
  if (keyed.length === 0) return new Map();
  const found = await tx.query<Found>(findKeyed, [
    keyed.map(({ workflow }) => workflow),
    keyed.map(({ idempotencyKey }) => idempotencyKey),
  ]);
  return new Map(
    found.map((row) => [nameOf(row.workflow, row.key), { ...row, input: opened([row.id, "input"], row.input) }]),
  );
}

function joined({ workflow, singleton }: RunToStart, id: string, isOurs = ALONE.hasStarted): StartedRun {
  if (singleton?.onConflict === "existing") return { id, created: false };
  throw singletonConflict(workflow, isOurs(id) ? null : id);
}
