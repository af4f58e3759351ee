import type { Scope } from "../../engine/access/permission";
import type { Db, Statement } from "../db";

export interface TokenRow {
  id: string;
  name: string;
  scopes: string[];
  workflows: string[] | null;
  created_at: Date;
  created_by: string;
  expires_at: Date;
  used_at: Date | null;
  revoked_at: Date | null;
}

const COLUMNS = "id, name, scopes, workflows, created_at, created_by, expires_at, used_at, revoked_at";
const MOST_TOKENS = 500;

interface NewToken {
  id: string;
  name: string;
  tokenHash: Buffer;
  scopes: readonly Scope[];
  workflows: readonly string[] | null;
  createdBy: string;
  livesMs: number;
}

const insertStatement: Statement = {
  name: "insert-token",
  text: `
    insert into handrail.token (id, name, token_hash, scopes, workflows, created_by, expires_at)
    values ($1, $2, $3, $4::text[], $5::text[], $6, clock_timestamp() + interval '1 millisecond' * $7::bigint)
    returning ${COLUMNS}`,
};

export async function insertToken(tx: Db, token: NewToken): Promise<TokenRow> {
  const { id, name, tokenHash, scopes, workflows, createdBy, livesMs } = token;
  const values = [id, name, tokenHash, scopes, workflows, createdBy, livesMs];
  return (await tx.query<TokenRow>(insertStatement, values))[0] as TokenRow;
}

/** The last use is written once a minute, not with each request. */
const findStatement: Statement = {
  name: "find-token",
  text: `
    with found as (
      select ${COLUMNS} from handrail.token
      where token_hash = $1 and revoked_at is null and expires_at > clock_timestamp()
    ), used as (
      update handrail.token set used_at = clock_timestamp()
      where id = (select id from found where coalesce(used_at, '-infinity') < clock_timestamp() - interval '1 minute')
    )
    select ${COLUMNS} from found`,
};

export async function findToken(db: Db, tokenHash: Buffer): Promise<TokenRow | undefined> {
  return (await db.query<TokenRow>(findStatement, [tokenHash]))[0];
}

const listStatement: Statement = {
  name: "list-tokens",
  text: `select ${COLUMNS} from handrail.token order by id desc limit ${MOST_TOKENS}`,
};
export const listTokens = (db: Db): Promise<TokenRow[]> => db.query(listStatement, []);

const revokeStatement: Statement = {
  name: "revoke-token",
  text: `
    update handrail.token set revoked_at = clock_timestamp() where id = $1 and revoked_at is null returning ${COLUMNS}`,
};

/** Undefined if no valid one exists. */
export async function revokeToken(tx: Db, id: string): Promise<TokenRow | undefined> {
  return (await tx.query<TokenRow>(revokeStatement, [id]))[0];
}
