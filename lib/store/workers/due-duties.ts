import type { Db, Statement } from "../db";
import { NOTICES_WAIT } from "../notices/notices";
import { PROBLEMS_WAIT } from "../problems/due-changes";

/** Which duties have something to do. */
export interface DueDuties {
  notices: boolean;
  problems: boolean;
  /** Any request: it may be for code that this worker lacks, or be answered already. */
  codeRequests: boolean;
}

/** One statement for all of them: most of the time none has. */
const dueStatement: Statement = {
  name: "due-duties",
  text: `
    select ${NOTICES_WAIT} as notices, ${PROBLEMS_WAIT} as problems,
      exists (select from handrail.code_request) as "codeRequests"`,
};

export async function dueDuties(db: Db): Promise<DueDuties> {
  const [due] = await db.query<DueDuties>(dueStatement, []);
  return due as DueDuties;
}
