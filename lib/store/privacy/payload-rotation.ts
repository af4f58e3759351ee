import type { PayloadKeys } from "../../engine/privacy/payload-keys";
import { type Place, SEALED_PREFIX, seal } from "../../engine/privacy/sealed";
import { keyIdOfTag, rekeyed } from "../../engine/privacy/searchable-tags";
import { BLOB_PREFIX } from "../../engine/values/blob";
import type { Db, Statement } from "../db";
import { tryToOpen } from "../payloads";

/*
 * Walks all values that can be sealed, by primary key and in small batches, to bound the load on the database and the
 * memory of this process. Nothing is remembered between two walks: values done already are skipped.
 */

/** Rows read by one statement; it returns only the ids of their keys. */
const LOOKED_AT = 1_000;
/** Values changed by one statement, of up to 1.4 MiB each. */
const CHANGED_AT_ONCE = 20;

/** The id of the key that a value is sealed with, or null in clear. */
type KeyId = string | null;

interface Found {
  place: Exclude<Place, readonly [string, "answer"]> | TagPlace;
  keyId: KeyId;
}

type TagPlace = readonly [runId: string, part: "tag", name: string, stored: string];

const keyOf = (column: string) =>
  `case when starts_with(${column}, '${SEALED_PREFIX}') then split_part(substr(${column}, ${SEALED_PREFIX.length + 1}, 33), '"', 1) end`;

/** Not a reference to a value in the blob store. */
const isValue = (column: string) =>
  `coalesce(not starts_with(left(${column}, ${BLOB_PREFIX.length}), '${BLOB_PREFIX}'), false)`;

/**
 * SQL that repeats a start compares its input with the kept one, and cannot decrypt it: inputs of starts from SQL keep
 * their key.
 */
const BY_SQL = "not input_checked and idempotency_key is not null and begun_by_event is null";

const runsStatement: Statement = {
  name: "payloads-of-runs",
  text: `
    select id::text, ${isValue("input")} as given, ${keyOf("input")} as input_key, ${BY_SQL} as by_sql, ${isValue("output")} as ended, ${keyOf("output")} as output_key,
      case when tags::text like '%"masked:%' then tags end as tags
    from handrail.run where $1::uuid is null or id > $1::uuid
    order by id limit ${LOOKED_AT}`,
};

interface RunKeys {
  id: string;
  /** Its input is here. */
  given: boolean;
  input_key: KeyId;
  by_sql: boolean;
  ended: boolean;
  output_key: KeyId;
  /** Null where none is masked. */
  tags: Record<string, string> | null;
}

const stepsStatement: Statement = {
  name: "payloads-of-steps",
  text: `
    select run_id::text, name, generation, ${isValue("output")} as ended, ${keyOf("output")} as output_key
    from handrail.step where $1::uuid is null or (run_id, name, generation) > ($1::uuid, $2::text, $3::int)
    order by run_id, name, generation limit ${LOOKED_AT}`,
};

interface StepKey {
  run_id: string;
  name: string;
  generation: number;
  ended: boolean;
  output_key: KeyId;
}

const spansStatement: Statement = {
  name: "payloads-of-spans",
  text: `
    select trace_id, span_id, ${keyOf("detail")} as detail_key from handrail.span
    where $1::text is null or (trace_id, span_id) > ($1::text, $2::text)
    order by trace_id, span_id limit ${LOOKED_AT}`,
};

interface SpanKey {
  trace_id: string;
  span_id: string;
  detail_key: KeyId;
}

/** What is in the blob store keeps its key, until it is deleted. */
const blobsStatement: Statement = {
  name: "keys-of-blobs",
  text: `select sealed_with as "keyId", count(*)::int as blobs from handrail.blob group by sealed_with`,
};

/** Few: all at once. */
const destinationsStatement: Statement = {
  name: "secrets-of-destinations",
  text: `
    select id::text, ${keyOf("secret")} as secret_key, previous_secret is not null as rotated,
      ${keyOf("previous_secret")} as previous_key
    from handrail.destination where secret is not null`,
};

interface SecretKeys {
  id: string;
  secret_key: KeyId;
  rotated: boolean;
  previous_key: KeyId;
}

/** Every value that is sealed or could be, batch by batch. */
async function* walk(db: Db): AsyncGenerator<Found[]> {
  for (let after: string | null = null; ; ) {
    const runs: RunKeys[] = await db.query<RunKeys>(runsStatement, [after]);
    yield runs.flatMap(ofRun);
    after = runs.at(-1)?.id ?? null;
    if (runs.length < LOOKED_AT) break;
  }
  for (let after: StepKey | undefined; ; ) {
    const from = [after?.run_id ?? null, after?.name ?? null, after?.generation ?? null];
    const steps: StepKey[] = await db.query<StepKey>(stepsStatement, from);
    yield steps
      .filter(({ ended }) => ended)
      .map(({ run_id, name, generation, output_key: keyId }) => ({ place: [run_id, "step", name, generation], keyId }));
    after = steps.at(-1);
    if (steps.length < LOOKED_AT) break;
  }
  for (let after: SpanKey | undefined; ; ) {
    const from = [after?.trace_id ?? null, after?.span_id ?? null];
    const spans: SpanKey[] = await db.query<SpanKey>(spansStatement, from);
    yield spans.map(({ trace_id, span_id, detail_key: keyId }) => ({ place: [trace_id, "span", span_id], keyId }));
    after = spans.at(-1);
    if (spans.length < LOOKED_AT) break;
  }
  yield (await db.query<SecretKeys>(destinationsStatement, [])).flatMap(ofDestination);
}

const ofDestination = ({ id, secret_key, rotated, previous_key }: SecretKeys): Found[] => [
  { place: [id, "secret"], keyId: secret_key },
  ...(rotated ? [{ place: [id, "previous_secret"], keyId: previous_key } as const] : []),
];

const ofRun = ({ id, given, input_key, by_sql, ended, output_key, tags }: RunKeys): Found[] => [
  ...(!given || (by_sql && input_key === null) ? [] : [{ place: [id, "input"], keyId: input_key } as const]),
  ...(ended ? [{ place: [id, "output"], keyId: output_key } as const] : []),
  ...Object.entries(tags ?? {}).flatMap(([name, tag]) => {
    const keyId = keyIdOfTag(tag);
    return keyId === undefined ? [] : [{ place: [id, "tag", name, tag] as const, keyId }];
  }),
];

/** How many values each key seals; under null, in clear. Reads every row once. Those in the blob store count, too. */
export async function countByKey(db: Db): Promise<Map<KeyId, number>> {
  const counts = new Map<KeyId, number>();
  for await (const batch of walk(db)) for (const { keyId } of batch) counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
  for (const { keyId, blobs } of await db.query<{ keyId: KeyId; blobs: number }>(blobsStatement, []))
    counts.set(keyId, (counts.get(keyId) ?? 0) + blobs);
  return counts;
}

/**
 * Seals all values with the current key. Values that are locked at that moment, or cannot be decrypted, stay as they
 * are.
 */
export async function rotate(db: Db, keys: PayloadKeys, onBatch: (changed: number) => void = () => {}): Promise<void> {
  for await (const batch of walk(db)) {
    const due = batch.filter(({ keyId }) => keyId !== keys.current.id);
    for (let first = 0; first < due.length; first += CHANGED_AT_ONCE) {
      const some = due.slice(first, first + CHANGED_AT_ONCE).map(({ place }) => place);
      onBatch(await reseal(db, keys, some));
    }
  }
}

async function reseal(db: Db, keys: PayloadKeys, places: readonly Found["place"][]): Promise<number> {
  let changed = await rekeyTags(db, keys, places.filter(isTag));
  for (const part of ["input", "output", "step", "span", "secret", "previous_secret"] as const) {
    const of = places.filter((place): place is PayloadPlace => place[1] === part);
    if (of.length === 0) continue;
    const { read, write } = STATEMENTS[part];
    const asked = [of.map(([runId]) => runId), of.map((place) => place[2] ?? ""), of.map((place) => place[3] ?? 0)];
    const rows = await db.query<{ at: number; text: string }>(read, asked);
    const known = rows.flatMap(({ at, text }) => {
      const place = of[at - 1] as PayloadPlace;
      const open = tryToOpen(place, text);
      return open === undefined ? [] : [{ place, text, again: seal(keys, place, open) }];
    });
    const values = [
      known.map(({ place }) => place[0]),
      known.map(({ place }) => place[2] ?? ""),
      known.map(({ place }) => place[3] ?? 0),
      known.map(({ text }) => text),
      known.map(({ again }) => again),
    ];
    changed += (await db.query(write, values)).length;
  }
  return changed;
}

type PayloadPlace = Exclude<Found["place"], TagPlace>;
const isTag = (place: Found["place"]): place is TagPlace => place[1] === "tag";

/** Keyed digests of searchable tags; those whose key is not here stay. */
async function rekeyTags(db: Db, keys: PayloadKeys, places: readonly TagPlace[]): Promise<number> {
  const known = places.flatMap(([runId, , name, tag]) => {
    const again = rekeyed(keys, tag);
    return again === undefined ? [] : [{ runId, name, tag, again }];
  });
  if (known.length === 0) return 0;
  const values = [
    known.map(({ runId }) => runId),
    known.map(({ name }) => name),
    known.map(({ tag }) => tag),
    known.map(({ again }) => again),
  ];
  return (await db.query(rekeyStatement, values)).length;
}

/** Guarantee and races as below; the row and its index change together, and a run is found under either key. */
const rekeyStatement: Statement = {
  name: "rekey-tags",
  text: `
    with locked as (
      select run.id, given.name, given.before, given.again
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as given (run_id, name, before, again)
      join handrail.run on run.id = given.run_id
      where run.tags ->> given.name = given.before
      for no key update of run skip locked
    ), changed as (
      update handrail.run set tags = run.tags || again.tags
      from (select id, jsonb_object_agg(name, again) as tags from locked group by id) as again where run.id = again.id
    ), removed as (
      delete from handrail.run_tag using locked
      where run_tag.name = locked.name and run_tag.value = locked.before and run_tag.run_id = locked.id
    )
    insert into handrail.run_tag (name, value, run_id) select name, again, id from locked on conflict do nothing returning 1`,
};

/** How a row of each table is found by the parts of a place, and those parts of it. */
const KEYS: Record<"run" | "step" | "span" | "destination", { match: string; key: string; owner?: "text" }> = {
  run: { match: "run.id = given.run_id", key: "run.id as run_id, '' as name, 0 as generation" },
  destination: { match: "destination.id = given.run_id", key: "destination.id as run_id, '' as name, 0 as generation" },
  step: {
    match: "step.run_id = given.run_id and step.name = given.name and step.generation = given.generation",
    key: "step.run_id, step.name, step.generation",
  },
  span: {
    match: "span.trace_id = given.run_id and span.span_id = given.name",
    key: "span.trace_id as run_id, span.span_id as name, 0 as generation",
    owner: "text",
  },
};

/*
 * Guarantee: a value is replaced by the same value under another key, and only if it is still as it was read. Races
 * with: owners, operators and other rotations. Rows they hold are skipped, so that nothing waits; a value changed
 * meanwhile differs from the one read, and stays. The rest of the row does not change, nor does its revision.
 */
function statementsOf(part: string, table: keyof typeof KEYS, column: string) {
  const { match, key, owner = "uuid" } = KEYS[table];
  return {
    read: {
      name: `payloads-${part}`,
      text: `
        select given.at::int as at, ${table}.${column} as text
        from unnest($1::${owner}[], $2::text[], $3::int[]) with ordinality as given (run_id, name, generation, at)
        join handrail.${table} on ${match}
        where ${table}.${column} is not null`,
    },
    write: {
      name: `reseal-${part}`,
      text: `
        with locked as (
          select ${key}, given.again
          from unnest($1::${owner}[], $2::text[], $3::int[], $4::text[], $5::text[]) as given (run_id, name, generation, before, again)
          join handrail.${table} on ${match}
          where ${table}.${column} = given.before
          for no key update of ${table} skip locked
        )
        update handrail.${table} set ${column} = given.again from locked as given where ${match} returning 1`,
    },
  };
}

const STATEMENTS = {
  input: statementsOf("input", "run", "input"),
  output: statementsOf("output", "run", "output"),
  step: statementsOf("step", "step", "output"),
  span: statementsOf("span", "span", "detail"),
  secret: statementsOf("secret", "destination", "secret"),
  previous_secret: statementsOf("previous-secret", "destination", "previous_secret"),
};
