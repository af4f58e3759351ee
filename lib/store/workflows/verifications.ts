import type { Db, Statement } from "../db";
import type { RowInstant } from "../rows";

/** What a verification found of one version, as it was published. */
export interface Verified {
  commit: string | null;
  trials: number;
  passed: number;
  steps: string[];
  findings: { kind: string; step: string | null; seen: string; todo: string; line: string | null; faults: string[] }[];
  asked: { step: string; why: string; line: string | null }[];
}

export interface VerificationRow extends Verified {
  version: number;
  verified_at: RowInstant;
  published_by: string;
}

const COLUMNS = "version, verified_at, commit, published_by, trials, passed, steps, findings, asked";

const keepStatement: Statement = {
  name: "keep-verification",
  text: `
    insert into handrail.verification (workflow, version, commit, published_by, trials, passed, steps, findings, asked)
    values ($1, $2::int, $3, $4, $5::int, $6::int, $7::jsonb, $8::jsonb, $9::jsonb)
    on conflict (workflow, version) do update set verified_at = clock_timestamp(), commit = excluded.commit,
      published_by = excluded.published_by, trials = excluded.trials, passed = excluded.passed, steps = excluded.steps,
      findings = excluded.findings, asked = excluded.asked
    returning ${COLUMNS}`,
};

/** The latest one of a version replaces the one before. */
export async function keepVerification(
  tx: Db,
  of: { workflow: string; version: number; by: string },
  { commit, trials, passed, steps, findings, asked }: Verified,
): Promise<VerificationRow> {
  const lists = [steps, findings, asked].map((list) => JSON.stringify(list));
  const values = [of.workflow, of.version, commit, of.by, trials, passed, ...lists];
  const [row] = await tx.query<VerificationRow>(keepStatement, values);
  return row as VerificationRow;
}

const listStatement: Statement = {
  name: "verifications",
  text: `select ${COLUMNS} from handrail.verification where workflow = $1 order by version desc limit 20`,
};

/** Newest version first; 20 at most. */
export const listVerifications = (db: Db, workflow: string) => db.query<VerificationRow>(listStatement, [workflow]);
