import type { Db, Statement } from "../db";
import { opened, sealed } from "../payloads";

/** The identity of a mutation: the key its sender chose, its owner and action, and a digest of the request. */
export interface RequestKey {
  key: string;
  /** The credential's owner and the action, so that keys of other owners and actions never collide. No line breaks. */
  scope: string;
  /** SHA-256 over method, path and body. */
  fingerprint: string;
}

export interface StoredAnswer {
  key: string;
  fingerprint: string;
  status: number;
  /** JSON text, to be sent again as it was. */
  body: string;
}

/** A header has no line breaks, so that no chosen key can collide with another scope. */
const storedKey = ({ scope, key }: Pick<RequestKey, "scope" | "key">) => `${scope}\n${key}`;

/*
 * Requests that were answered before keys had scopes have rows under the bare key, until these are 30 days old: the
 * same request gets that answer; another one is no conflict.
 * Guarantee: of any number of requests with one key, one does its work. Races with: the same statement in other
 * sessions; they wait on the primary key until this transaction ends, and take the key over if it rolled back.
 */
const takeStatement: Statement = {
  name: "take-request-key",
  text: `
    insert into handrail.request (key, fingerprint)
    select $1, $2 where not exists (select 1 from handrail.request where key = $3 and fingerprint = $2)
    on conflict (key) do nothing
    returning key`,
};

const answerOfStatement: Statement = {
  name: "answer-of-request",
  text: `
    select key, fingerprint, status, body from handrail.request
    where key = $1 or (key = $3 and fingerprint = $2) order by key = $1 desc limit 1`,
};

/** Undefined if the key is new, and this transaction's from now on; else its kept answer. */
export async function takeRequestKey(tx: Db, request: RequestKey): Promise<StoredAnswer | undefined> {
  const [taken] = await tx.query(takeStatement, [storedKey(request), request.fingerprint, request.key]);
  return taken ? undefined : selectAnswer(tx, request);
}

/** The answer to a key; undefined until there is one. */
export async function selectAnswer(db: Db, request: RequestKey): Promise<StoredAnswer | undefined> {
  const asked = [storedKey(request), request.fingerprint, request.key];
  const [answer] = await db.query<StoredAnswer>(answerOfStatement, asked);
  return answer && { ...answer, body: opened([answer.key, "answer"], answer.body) };
}

// As a string inside jsonb: an answer may hold what jsonb itself refuses, such as a NUL in an error's message.
const keepStatement: Statement = {
  name: "keep-answer",
  text: `update handrail.request set status = $2::int, body = to_jsonb($3::text) where key = $1`,
};

export async function keepAnswer(tx: Db, request: RequestKey, status: number, body: string): Promise<void> {
  const key = storedKey(request);
  await tx.query(keepStatement, [key, status, sealed([key, "answer"], body)]);
}
