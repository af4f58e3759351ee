import type { RunStatus } from "../../engine/runs/run";
import type { Db, Statement } from "../db";
import { opened } from "../payloads";

/** A value that code publishes under a name: the outcome of the step of that name. */
const IS_PUBLISHED = "step.kind = 'publish' and step.status = 'completed' and step.superseded_by is null";

export interface PublishedName {
  runId: string;
  name: string;
}

const publishedNamesStatement: Statement = {
  name: "published-names",
  text: `
    select given.run_id::text as "runId", given.name from unnest($1::uuid[], $2::text[]) as given (run_id, name)
    join handrail.step on step.run_id = given.run_id and step.name = given.name
    where ${IS_PUBLISHED}`,
};

/** Those of these names that are published: one statement for all waits. */
export async function selectPublishedNames(db: Db, given: readonly PublishedName[]): Promise<PublishedName[]> {
  if (given.length === 0) return [];
  return db.query<PublishedName>(publishedNamesStatement, [
    given.map(({ runId }) => runId),
    given.map(({ name }) => name),
  ]);
}

interface PublishedRow {
  workflow: string;
  status: RunStatus;
  /** As the codec writes values; null: nothing is published under the name. */
  value: string | null;
  generation: number | null;
  publishedAt: Date | null;
  /** An operator supplied it. */
  supplied: boolean;
}

const publishedStatement: Statement = {
  name: "published",
  text: `
    select run.workflow, run.status, step.output as value, step.generation, step.finished_at as "publishedAt",
      coalesce(step.attempt = 0, false) as supplied
    from handrail.run
    left join handrail.step on step.run_id = run.id and step.name = $2 and ${IS_PUBLISHED}
    where run.id = $1::uuid`,
};

/** What a run has published under a name. Undefined: there is no such run. */
export async function selectPublished(db: Db, { runId, name }: PublishedName): Promise<PublishedRow | undefined> {
  const [row] = await db.query<PublishedRow>(publishedStatement, [runId, name]);
  return (
    row && { ...row, value: row.generation === null ? null : opened([runId, "step", name, row.generation], row.value) }
  );
}
