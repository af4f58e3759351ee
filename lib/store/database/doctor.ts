import { AUDIT_RULES } from "../audit/audit-rules";
import { type Db, type Statement, sqlState } from "../db";
import { ENGINE_RULES, type Rule } from "./doctor-rules";

/** More rows add no information. */
const MAX_HITS = 20;
/** The doctor must not cause trouble: a longer query is cancelled. */
const LONGEST_QUESTION_MS = 30_000;

export interface Finding<Asked = Rule> {
  rule: Asked;
  /** Rows that violate the rule, 20 at most. */
  hits: Record<string, unknown>[];
  /** There are more rows than `hits` contains. */
  more: boolean;
  /** Set if the database did not answer in time: the result is unknown. */
  unanswered?: string;
}

const limitStatement: Statement = {
  name: "",
  text: `select set_config('statement_timeout', $1, true), set_config('transaction_read_only', 'on', true)`,
};

/** Checks every rule, one statement per rule; changes nothing and locks nothing. */
export async function examine(db: Db, rules: readonly Rule[] = [...ENGINE_RULES, ...AUDIT_RULES]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of rules) findings.push(await ask(db, rule));
  return findings;
}

async function ask(db: Db, rule: Rule): Promise<Finding> {
  try {
    const rows = await db.transaction(async (tx) => {
      await tx.query(limitStatement, [`${LONGEST_QUESTION_MS}`]);
      const text = `select * from (${rule.sql}) broken limit ${MAX_HITS + 1}`;
      return tx.query<Record<string, unknown>>({ name: "", text }, []);
    });
    return { rule, hits: rows.slice(0, MAX_HITS), more: rows.length > MAX_HITS };
  } catch (error) {
    if (sqlState(error) !== "57014") throw error;
    return { rule, hits: [], more: false, unanswered: `no answer within ${LONGEST_QUESTION_MS / 1_000} s` };
  }
}
