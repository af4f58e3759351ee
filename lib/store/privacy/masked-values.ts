import { SEALED_PREFIX } from "../../engine/privacy/sealed";
import { BLOB_PREFIX, isBlob } from "../../engine/values/blob";
import type { Db, Statement } from "../db";
import { tryToOpen } from "../payloads";

/** A run, or its parent or a child, with its values that may be masked. */
export interface MaskedValuesRow {
  /** The run that was asked for. */
  of: string;
  /** Masked by any version of its workflow. */
  paths: string[];
  /** JSON texts, null where nothing in them can be masked. */
  texts: (string | null)[];
  /** Some values were not read. */
  more: boolean;
  /** Started again from another run with an input that an operator had edited. */
  edited: boolean;
}

/**
 * As lib/engine/privacy/mask.ts has them: a value without such a key, of a workflow that masks nothing, is not read.
 */
export const MAY_HOLD_SECRETS = `'"[^"]*(pass.?wo?r?d|pass.?phrase|secret|authorization|api.?key|access.?key|private.?key|credential|cookie|token|cv[cv])[^"]*"'`;

/** Children whose values are read: what a parent says about its children ends up in its own texts. */
const CHILDREN = 20;

/*
 * Each part follows a primary key or an index below one run. Masks of a later version apply to the runs of earlier
 * ones: what is confidential now was never meant to be seen.
 */
const statement: Statement = {
  name: "masked-values",
  text: `
    select given.id::text as of, run.id::text as "runId", masked.paths, held.texts, held.more, coalesce(again.edited, false) as edited
    from unnest($1::uuid[]) as given (id)
    cross join lateral (
      select given.id
      union
      (select parent_run_id from handrail.run where id = given.id and parent_run_id is not null)
      union
      (select id from handrail.run where parent_run_id = given.id order by id desc limit ${CHILDREN})
    ) as family (id)
    join handrail.run on run.id = family.id
    cross join lateral (
      select coalesce(array_agg(distinct path), '{}') as paths
      from handrail.workflow cross join lateral unnest(workflow.masked) as path where workflow.name = run.workflow
    ) as masked
    cross join lateral (
      select json_agg(json_build_array(part, name, generation, case when bytes <= $3::bigint
          and (cardinality(masked.paths) > 0 or text ~* ${MAY_HOLD_SECRETS} or starts_with(text, '${SEALED_PREFIX}') or starts_with(text, '${BLOB_PREFIX}')) then text end)) as texts,
        count(*) > $2::int + 3 or coalesce(max(bytes) > $3::bigint, false) as more
      from (
        select *, sum(octet_length(text)) over (rows unbounded preceding) as bytes from (
        select 'input' as part, null as name, null::int as generation, run.input as text
        union all select 'output', null, null, run.output
        union all select 'headers', null, null, jsonb_build_object('headers', run.headers)::text where run.headers is not null
        union all (select 'step', name, generation, output from handrail.step
          where step.run_id = run.id and output is not null limit $2::int + 1)
        union all (select 'event', null, null, payload from handrail.event where event.run_id = run.id limit $2::int + 1)
        union all (select 'event', null, null, payload from handrail.event where event.taken_by = run.id limit $2::int + 1)
        ) as value
      ) as counted
    ) as held
    left join lateral (
      select old.input is distinct from run.input as edited
      from handrail.new_run left join handrail.run as old on old.id = from_run_id where new_run.run_id = run.id
    ) as again on true`,
};

/** @param values of each run that are read, of so many bytes together */
export async function selectMaskedValues(
  db: Db,
  runIds: readonly string[],
  { values, bytes }: { values: number; bytes: number },
): Promise<MaskedValuesRow[]> {
  const rows = await db.query<Found>(statement, [runIds, values, bytes]);
  return rows.map(withOpened);
}

type Held =
  | ["input" | "output" | "headers" | "event", null, null, string | null]
  | ["step", string, number, string | null];
type Found = Omit<MaskedValuesRow, "texts"> & { runId: string; texts: Held[] };

/** A value that cannot be decrypted here, or is in the blob store, may hold anything: treated as not read. */
function withOpened({ runId, texts, ...row }: Found): MaskedValuesRow {
  const open = texts.map(([part, name, generation, text]) => {
    if (text === null || part === "event" || part === "headers") return text;
    if (isBlob(text)) return undefined;
    return tryToOpen(part === "step" ? [runId, part, name, generation] : [runId, part], text);
  });
  return { ...row, texts: open.filter((text) => text !== undefined), more: row.more || open.includes(undefined) };
}

const pathsStatement: Statement = {
  name: "masked-paths",
  text: `
    select name, array_agg(distinct path) as paths from handrail.workflow cross join lateral unnest(masked) as path
    where name = any ($1::text[]) group by name`,
};

/** Of the workflows that mask anything. */
export const selectMaskedPaths = (db: Db, workflows: readonly string[]) =>
  db.query<{ name: string; paths: string[] }>(pathsStatement, [workflows]);
