import { type Caller, MAX_USER_AGENT } from "../engine/audit";

/** There is no sign-in yet: everybody who reaches the server is this person. */
const NAME = "operator";

const MAX_ADDRESS = 64;

/** Who asks, and through what, for the audit. */
export function callerOf({ headers }: Request, requestId: string): Caller {
  return {
    name: NAME,
    kind: "person",
    credentialId: null,
    // Each proxy adds whom it heard to the end: the last one is the word of the one that we heard ourselves, here Next.
    address: headers.get("x-forwarded-for")?.split(",").at(-1)?.trim().slice(0, MAX_ADDRESS) || null,
    userAgent: headers.get("user-agent")?.slice(0, MAX_USER_AGENT) || null,
    requestId,
  };
}
