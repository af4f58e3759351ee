import { EVERYTHING, type Permissions, type Role } from "../engine/access/permission";
import type { CallerKind } from "../engine/audit/audit";

/** The authenticated caller and its permissions. */
export interface Asker extends Permissions {
  name: string;
  kind: CallerKind;
  /** The session or token they came with; null where there is none. */
  credentialId: string | null;
  /** For a person with a session. */
  personId: string | null;
  role: Role | null;
  /** The accountable caller: the person, or the token's creator; null without sign-in. */
  accountable: string | null;
}

/** Without sign-in, every caller is this person. */
export const LOCAL_CALLER: Asker = {
  ...EVERYTHING,
  name: "operator",
  kind: "person",
  credentialId: null,
  personId: null,
  role: "admin",
  accountable: null,
};

/**
 * The owner of requests, views and streams: a person across sessions, a token by its id. The bootstrap token and
 * callers without sign-in have neither and share one owner.
 */
export const ownerOf = ({ personId, credentialId }: Pick<Asker, "personId" | "credentialId">): string =>
  personId !== null ? `person:${personId}` : credentialId === null ? "anybody" : `token:${credentialId}`;
