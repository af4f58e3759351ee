import type { Db, Statement } from "../db";
import { schemaName } from "../schema";

/** Channel that wakes workers for requests to their code. Without payload: the taking decides who answers. */
export const codeRequestChannel = () => `${schemaName()}_code_request`;
/** Channel that notifies the asking process: the request of this id is answered. */
export const codeAnswerChannel = () => `${schemaName()}_code_answer`;

// After the commit that it reports, as in lib/store/database/notify.ts. A note may get lost: both sides also look by themselves.
const noteStatement: Statement = {
  name: "note-code",
  text: "select pg_notify($1, payload) from unnest($2::text[]) as payload",
};

export async function noteCodeRequest(db: Db): Promise<void> {
  await db.query(noteStatement, [codeRequestChannel(), [""]]);
}

export async function noteCodeAnswers(db: Db, ids: readonly string[]): Promise<void> {
  await db.query(noteStatement, [codeAnswerChannel(), ids]);
}
