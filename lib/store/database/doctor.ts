import { AUDIT_RULES } from "../audit/audit-rules";
import { type Db, type Statement, sqlState } from "../db";
import { ENGINE_RULES, type Rule } from "./doctor-rules";

/** More rows than these tell no more. */
const MAX_HITS = 20;
/** A doctor must not be the illness: a question that takes longer is given up. */
const LONGEST_QUESTION_MS = 30_000;

export interface Finding {
  rule: Rule;
  /** Rows that break the rule, 20 at the most. */
  hits: Record<string, unknown>[];
  /** There are more than `hits` tells. */
  more: boolean;
  /** Set when the database gave no answer in time: then nobody knows. */
  unanswered?: string;
}

const limitStatement: Statement = {
  name: "",
  text: `select set_config('statement_timeout', $1, true), set_config('transaction_read_only', 'on', true)`,
};

/** Asks for every rule that is broken, one statement a rule; changes nothing and locks nothing. */
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
