import { EVERYTHING, type Permissions, type Role } from "../engine/access/permission";
import type { CallerKind } from "../engine/audit/audit";

/** Who asks, and what they may. */
export interface Asker extends Permissions {
  name: string;
  kind: CallerKind;
  /** The session or token they came with; null where there is none. */
  credentialId: string | null;
  /** Of a person with a session. */
  personId: string | null;
  role: Role | null;
  /** Who answers for what is asked: the person, or whoever made the token; null where there is no sign-in. */
  accountable: string | null;
}

/** Where there is no sign-in, everybody who reaches the server is this person. */
export const ANYBODY: Asker = {
  ...EVERYTHING,
  name: "operator",
  kind: "person",
  credentialId: null,
  personId: null,
  role: "admin",
  accountable: null,
};

/**
 * Whose requests, views and streams these are: a person's in any session, a token's by its id. The bootstrap token and whoever
 * comes where there is no sign-in have neither, and are one.
 */
export const ownerOf = ({ personId, credentialId }: Pick<Asker, "personId" | "credentialId">): string =>
  personId !== null ? `person:${personId}` : credentialId === null ? "anybody" : `token:${credentialId}`;
