import { v7 as uuidv7 } from "uuid";
import { insertInvitation } from "../store/access/invitations";
import { type Grant, hasAdmin } from "../store/access/people";
import type { Db } from "../store/db";
import { hashOf, newSecret } from "./secret";

const SET_UP_LIVES_MS = 86_400_000;

/** The secret of the link that creates the first admin; null when an admin exists. Voids the previous link. */
export async function inviteFirst(db: Db): Promise<string | null> {
  if (await hasAdmin(db)) return null;
  const secret = newSecret();
  const all: Grant = { role: "admin", payloadRead: true, workflows: null };
  const first = { ...all, name: null, createdBy: "set-up", livesMs: SET_UP_LIVES_MS };
  await db.transaction((tx) => insertInvitation(tx, { ...first, id: uuidv7(), tokenHash: hashOf(secret) }));
  return secret;
}
