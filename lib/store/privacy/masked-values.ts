import { SEALED_PREFIX } from "../../engine/privacy/sealed";
import { BLOB_PREFIX, isBlob } from "../../engine/values/blob";
import type { Db, Statement } from "../db";
import { tryToOpen } from "../payloads";

/** A run, or an ancestor or descendant, with its values that may be masked. */
export interface MaskedValuesRow {
  /** The run that was asked for. */
  of: string;
  /** Masked by any version of the workflow of any of them. */
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
export const MAY_HOLD_SECRETS = `'"[^"]*(pass[-_[:space:]]*wo?r?d|pass[-_[:space:]]*phrase|secret|authorization|api[-_[:space:]]*key|access[-_[:space:]]*key|private[-_[:space:]]*key|credential|cookie|token|cv[cv])[^"]*"'`;

/** Descendants whose values are read: what a run reports of them is in its own texts, and in those of its ancestors. */
const DESCENDANTS_READ = 20;
export const ANCESTORS = 20;
/** Descendants of a run in a list whose masks apply to what is shown of it. */
export const DESCENDANTS_IN_LISTS = 500;

/** Walks down level by level and ends at the limit. Where no workflow masks anything, only what is read is needed. */
const familyOfGiven = `
      with recursive up (id, parent_run_id, workflow, height) as (
        select run.id, run.parent_run_id, run.workflow, 0 from handrail.run where run.id = given.id
        union all
        select parent.id, parent.parent_run_id, parent.workflow, up.height + 1
        from up join handrail.run as parent on parent.id = up.parent_run_id where up.height <= ${ANCESTORS}
      ), down (id, workflow, depth) as (
        select given.id, null::text, 0
        union all
        select child.id, child.workflow, down.depth + 1 from down cross join lateral (
          select id, workflow from handrail.run where parent_run_id = down.id order by id desc limit $4::int + 1
        ) as child
      ), below as (
        select below.*, exists (select from masking where masking.name = below.workflow) as masks
        from (select * from down where depth > 0
          limit (select case when exists (select from masking) then $4::int + 1 else ${DESCENDANTS_READ} end)) as below
      ), read as (
        select * from below order by masks desc, depth, id desc limit ${DESCENDANTS_READ}
      ), walk as (
        select (select count(*) from below) > $4::int or exists (select from up where height > ${ANCESTORS}) as cut
      )
      select array(select id from up where height <= ${ANCESTORS} union select id from read) as ids,
        coalesce((select array_agg(distinct path) from masking cross join lateral unnest(masking.paths) as path
          where walk.cut or masking.name in (select workflow from up union select workflow from below)), '{}') as paths,
        walk.cut or (select count(*) from below where masks) > ${DESCENDANTS_READ} as more
      from walk`;

/*
 * Each part follows a primary key or an index below one run. Masks of a later version apply to the runs of earlier
 * ones: what is confidential now was never meant to be seen. Where not all relatives are known, any workflow's masks
 * may be theirs.
 */
const statement: Statement = {
  name: "masked-values",
  text: `
    with masking as materialized (
      select name, array_agg(distinct path) as paths from handrail.workflow cross join lateral unnest(masked) as path group by name
    )
    select given.id::text as of, run.id::text as "runId", family.paths, held.texts, held.more or family.more or run.erased_at is not null as more,
      coalesce(again.edited, false) as edited
    from unnest($1::uuid[]) as given (id)
    cross join lateral (${familyOfGiven}
    ) as family
    join handrail.run on run.id = any (family.ids)
    cross join lateral (
      select json_agg(json_build_array(part, name, generation, case when bytes <= $3::bigint
          and (cardinality(family.paths) > 0 or text ~* ${MAY_HOLD_SECRETS} or starts_with(text, '${SEALED_PREFIX}') or starts_with(text, '${BLOB_PREFIX}')) then text end)) as texts,
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

/**
 * @param limits.values of each run that are read, of so many bytes together
 * @param limits.descendants of each run whose workflows are known
 */
export async function selectMaskedValues(
  db: Db,
  runIds: readonly string[],
  { values, bytes, descendants }: { values: number; bytes: number; descendants: number },
): Promise<MaskedValuesRow[]> {
  const rows = await db.query<Found>(statement, [runIds, values, bytes, descendants]);
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
