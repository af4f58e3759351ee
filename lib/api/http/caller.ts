import type { Asker } from "../../access/asker";
import { type Caller, MAX_USER_AGENT } from "../../engine/audit/audit";

/** Whoever has not said who they are, such as in front of the sign-in. */
const NOBODY = { name: "nobody", kind: "person", credentialId: null } as const;

const MAX_ADDRESS = 64;

/** Who asks, and through what, for the audit. */
export function callerOf({ headers }: Request, requestId: string, asker: Asker | null): Caller {
  const { name, kind, credentialId } = asker ?? NOBODY;
  return {
    name,
    kind,
    credentialId,
    // One that the sender did not choose: lib/access/peer-address.ts.
    address: headers.get("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, MAX_ADDRESS) || null,
    userAgent: headers.get("user-agent")?.slice(0, MAX_USER_AGENT) || null,
    requestId,
  };
}
