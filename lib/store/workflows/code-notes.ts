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

export const noteCodeRequest = (db: Db): Promise<void> => note(db, codeRequestChannel(), [""]);

export const noteCodeAnswers = (db: Db, ids: readonly string[]): Promise<void> => note(db, codeAnswerChannel(), ids);

async function note(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await db.query(noteStatement, [channel, payloads]).catch(() => undefined);
}
