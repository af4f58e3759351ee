import type { Asker } from "../access/asker";
import { identifyCaller } from "../access/who-asks";
import { actionsOf, type Scope } from "../engine/access/permission";
import type { Server } from "../server";

/** The app's own answer to who is asking. */
export interface HttpCaller {
  /** Kept in the audit log, and the owner of its idempotency keys: a user's or program's id. 1 to 200 characters. */
  name: string;
  /** Roles and actions: `["run.start", "run.read"]`. */
  may: readonly Scope[];
  /** Only these workflows. Default: all. */
  workflows?: readonly string[];
  /** Where the request came from, for the audit log. Default: unknown. */
  address?: string;
}

export type FindCaller = (request: Request) => HttpCaller | null | Promise<HttpCaller | null>;

/** A token that was made in the console, or of `HANDRAIL_BOOTSTRAP_TOKEN`; never nobody, and never a cookie. */
export const byToken = ({ headers }: Request, { db, env }: Server): Promise<Asker | null> => {
  const cookieless = new Headers(headers);
  cookieless.delete("cookie");
  return identifyCaller(db, cookieless, { ...env, signIn: true });
};

export function asAsker({ name, may, workflows }: HttpCaller): Asker {
  return {
    name,
    kind: "token",
    credentialId: null,
    personId: null,
    role: null,
    actions: actionsOf(may),
    workflows: workflows ?? null,
    accountable: `caller ${name}`,
    owner: `caller:${name}`,
  };
}
