import type { Asker } from "../access/asker";
import { identifyCaller } from "../access/who-asks";
import { actionsOf, type Scope } from "../engine/access/permission";
import type { Server } from "../server";

/** The app's own answer to who is asking. */
export interface HttpCaller {
  /**
   * A user's or program's id, 1 to 200 characters. It is in the audit log, and owns the caller's idempotency keys,
   * registrations and claims.
   */
  name: string;
  /** Roles and actions: `["run.start", "run.read"]`. */
  may: readonly Scope[];
  /** Only these workflows; an empty list: none. Default: all. */
  workflows?: readonly string[];
}

export type FindCaller = (request: Request) => HttpCaller | null | Promise<HttpCaller | null>;

/** A token that was made in the console, or of `HANDRAIL_BOOTSTRAP_TOKEN`; never nobody, and never a cookie. */
export const byToken = ({ headers }: Request, { db, env }: Server): Promise<Asker | null> => {
  const cookieless = new Headers(headers);
  cookieless.delete("cookie");
  return identifyCaller(db, cookieless, { ...env, signIn: true });
};

const MAX_NAME = 200;

/** @throws Error for a name that names nobody: the app's mistake, not the caller's */
export function asAsker({ name, may, workflows }: HttpCaller): Asker {
  if (name.length < 1 || name.length > MAX_NAME)
    throw new Error(`The name of an HTTP caller has 1 to ${MAX_NAME} characters; this one has ${name.length}.`);
  return {
    name,
    kind: "token",
    credentialId: `caller:${name}`, // no token's id has a colon

    personId: null,
    role: null,
    actions: actionsOf(may),
    workflows: workflows ?? null,
    accountable: `caller ${name}`,
  };
}
