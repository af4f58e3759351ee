import {
  DEPLOYS_KEPT_DAYS,
  type DeployNames,
  isSameDeploy,
  MOST_DEPLOYS,
  type NewVersions,
} from "../../engine/deploys/deploy";
import { RESERVED_PREFIX } from "../../engine/workflows/own-workflows";
import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";
import type { VersionOfWorkflow } from "../workers/workers";

export interface DeployRow extends DeployNames {
  id: number;
  at: RowInstant;
  url: string | null;
  workflows: Record<string, number[]>;
  marked_by: string | null;
  /** For the cursor, to the microsecond. */
  key_at: string;
}

export interface DeployMark extends DeployNames {
  /** Null: now, by the database's clock. */
  at: Date | null;
  url: string | null;
  workflows: NewVersions;
  /** Null: a worker found it. */
  markedBy: string | null;
}

const COLUMNS = "id, at, version, commit, build, url, workflows, marked_by, at::text as key_at";

/** What ran at that time, the latest id of all, and whether a live worker has the build. */
const beforeStatement: Statement = {
  name: "deploy-before",
  text: `
    select coalesce((select max(id) from handrail.deploy), 0) as latest,
      exists (select from handrail.worker where build = $2 and stopped_at is null
        and lease_expires_at > clock_timestamp())
      -- A worker marks its build a moment before its own row is there.
      or exists (select from handrail.deploy where build = $2 and at > clock_timestamp() - interval '10 s') as runs,
      (select row_to_json(found) from (select ${COLUMNS} from handrail.deploy
        where at <= coalesce($1::timestamptz, clock_timestamp()) order by at desc, id desc limit 1) as found) as before`,
};

const addStatement: Statement = {
  name: "add-deploy",
  text: `
    insert into handrail.deploy (id, at, version, commit, build, url, workflows, marked_by)
    values ($1::bigint, coalesce($2::timestamptz, clock_timestamp()), $3, $4, $5, $6, $7::jsonb, $8)
    on conflict do nothing
    returning ${COLUMNS}`,
};

/** What is known stays: a mark only adds to it. */
const completeStatement: Statement = {
  name: "complete-deploy",
  text: `
    update handrail.deploy set version = coalesce(version, $2), commit = coalesce(commit, $3), build = coalesce(build, $4),
      url = coalesce($5, url), workflows = workflows || $6::jsonb, marked_by = coalesce(marked_by, $7)
    where id = $1::bigint
    returning ${COLUMNS}`,
};

/**
 * Marks a deploy once, however many do at the same time: one that is the same as what ran then is completed by what the
 * mark knows of it, and `created` is false. A worker whose build runs elsewhere already marks nothing: null.
 */
export async function keepDeploy(tx: Db, mark: DeployMark): Promise<{ row: DeployRow; created: boolean } | null> {
  const { at, version, commit, build, url, markedBy } = mark;
  const workflows = JSON.stringify(mark.workflows);
  for (;;) {
    const [found] = await tx.query<{ latest: number; runs: boolean; before: DeployRow | null }>(beforeStatement, [
      at,
      markedBy === null ? build : null,
    ]);
    const { latest = 0, runs = false, before = null } = found ?? {};
    if (before && isSameDeploy(before, mark)) {
      const values = [before.id, version, commit, build, url, workflows, markedBy];
      const [row] = await tx.query<DeployRow>(completeStatement, values);
      if (row) return { row, created: false };
    } else {
      if (runs && workflows === "{}") return null;
      const values = [latest + 1, at, version, commit, build, url, workflows, markedBy];
      const [row] = await tx.query<DeployRow>(addStatement, values);
      if (row) return { row, created: true };
    }
    // Another one was made meanwhile: it may be the same.
  }
}

const othersStatement: Statement = {
  name: "other-versions",
  text: `
    select exists (select from handrail.workflow where not starts_with(name, $3)
      and (name, version) not in (select * from unnest($1::text[], $2::int[]))) as found`,
};

/** Whether the app has versions of workflows besides these. */
export async function hasOtherVersions(tx: Db, these: readonly VersionOfWorkflow[]): Promise<boolean> {
  const values = [these.map(({ name }) => name), these.map(({ version }) => version), RESERVED_PREFIX];
  const [row] = await tx.query<{ found: boolean }>(othersStatement, values);
  return row?.found ?? false;
}

export interface DeployFilter {
  /** Only marks that concern one of these: those with a name, and those that brought a version of one. */
  workflows?: readonly string[] | null | undefined;
  since?: Date | null | undefined;
  /** Exclusive. */
  until?: Date | null | undefined;
  after?: readonly [at: string, id: number] | null | undefined;
  limit: number;
}

const listStatement: Statement = {
  name: "deploys",
  text: `
    select ${COLUMNS} from handrail.deploy
    where ($1::text[] is null or num_nonnulls(version, commit, build) > 0 or workflows ?| $1::text[])
      and ($2::timestamptz is null or at >= $2::timestamptz) and ($3::timestamptz is null or at < $3::timestamptz)
      and ($4::timestamptz is null or (at, id) < ($4::timestamptz, $5::bigint))
    order by at desc, id desc limit $6::int`,
};

/** Latest first. */
export function listDeploys(db: Db, { workflows, since, until, after, limit }: DeployFilter): Promise<DeployRow[]> {
  const [at = null, id = null] = after ?? [];
  return db.query<DeployRow>(listStatement, [workflows ?? null, since ?? null, until ?? null, at, id, limit]);
}

/** The latest one stays, however old it is: a worker that starts with its build is no deploy. */
const oldStatement: Statement = {
  name: "delete-old-deploys",
  text: `
    with gone as (
      delete from handrail.deploy where id in (
        select id from handrail.deploy
        where (at < (select clock_timestamp()) - interval '${DEPLOYS_KEPT_DAYS} days'
            or id <= (select max(id) from handrail.deploy) - ${MOST_DEPLOYS})
          and id <> (select id from handrail.deploy order by at desc, id desc limit 1)
        order by at, id limit $1::int for update skip locked)
      returning 1
    )
    select count(*)::int as deleted from gone`,
};

/** Deletes marks that are older than what charts show, or too many; returns how many, up to the limit. */
export async function deleteOldDeploys(db: Db, limit: number): Promise<number> {
  const [row] = await db.query<{ deleted: number }>(oldStatement, [limit]);
  return row?.deleted ?? 0;
}
