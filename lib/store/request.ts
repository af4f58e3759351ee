import type { Db, Statement } from "./db";
import { opened, sealed } from "./payloads";

/** What a mutation is known by: the key its sender chose, and what it asks for. */
export interface RequestKey {
  key: string;
  /** SHA-256 over method, path and body. */
  fingerprint: string;
}

export interface StoredAnswer {
  fingerprint: string;
  status: number;
  /** JSON text, to be sent again as it was. */
  body: string;
}

/*
 * Guarantee: of any number of requests with one key, one does its work. Races with: the same statement in other sessions;
 * they wait on the primary key until this transaction ends, and take the key over if it rolled back.
 */
const takeStatement: Statement = {
  name: "take-request-key",
  text: `
    insert into handrail.request (key, fingerprint) values ($1, $2)
    on conflict (key) do nothing
    returning key`,
};

const answerOfStatement: Statement = {
  name: "answer-of-request",
  text: `select fingerprint, status, body from handrail.request where key = $1`,
};

/** Undefined when the key is new, and this transaction's from now on; else what was answered to it. */
export async function takeRequestKey(tx: Db, { key, fingerprint }: RequestKey): Promise<StoredAnswer | undefined> {
  const [taken] = await tx.query(takeStatement, [key, fingerprint]);
  return taken ? undefined : selectAnswer(tx, key);
}

/** What was answered to a key; undefined as long as nothing was. */
export async function selectAnswer(db: Db, key: string): Promise<StoredAnswer | undefined> {
  const [answer] = await db.query<StoredAnswer>(answerOfStatement, [key]);
  return answer && { ...answer, body: opened([key, "answer"], answer.body) };
}

// As a string inside jsonb: an answer may hold what jsonb itself refuses, such as a NUL in an error's message.
const keepStatement: Statement = {
  name: "keep-answer",
  text: `update handrail.request set status = $2::int, body = to_jsonb($3::text) where key = $1`,
};

export async function keepAnswer(tx: Db, key: string, status: number, body: string): Promise<void> {
  await tx.query(keepStatement, [key, status, sealed([key, "answer"], body)]);
}
