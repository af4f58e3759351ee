import type { Asker } from "../../access/asker";
import { type Caller, MAX_USER_AGENT } from "../../engine/audit/audit";

/** An unauthenticated caller, such as before sign-in. */
const UNKNOWN_CALLER = { name: "nobody", kind: "person", credentialId: null } as const;

const MAX_ADDRESS = 64;

/** The caller and its credential, for the audit. */
export function callerOf({ headers }: Request, requestId: string, asker: Asker | null): Caller {
  const { name, kind, credentialId } = asker ?? UNKNOWN_CALLER;
  return {
    name,
    kind,
    credentialId,
    // An address that the sender did not choose: lib/access/peer-address.ts.
    address: headers.get("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, MAX_ADDRESS) || null,
    userAgent: headers.get("user-agent")?.slice(0, MAX_USER_AGENT) || null,
    requestId,
  };
}
