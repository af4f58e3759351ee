import { z } from "zod";
import { type GroupRoles, parseGroupRoles } from "./engine/access/group-roles";
import { isIssuer } from "./env-checks";
import type { doors } from "./env-doors";

/** Sign-in through a provider of OpenID Connect. */
export const provider = z.object({
  HANDRAIL_OIDC_ISSUER: z
    .string()
    .refine(isIssuer)
    .optional()
    .describe(
      "the issuer of an OpenID Connect provider exactly as it names itself, such as HANDRAIL_OIDC_ISSUER=https://login.example.com " +
        "(https, unless it is this machine's loopback; no query), or be left out",
    ),
  HANDRAIL_OIDC_CLIENT_ID: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .describe("what the provider calls this Handrail, such as HANDRAIL_OIDC_CLIENT_ID=handrail"),
  HANDRAIL_OIDC_CLIENT_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,1000}$/)
    .optional()
    .describe("the secret of 16 letters or more that the provider gave this Handrail"),
  HANDRAIL_OIDC_SCOPES: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/)
    .refine((text) => ["openid", "email"].every((scope) => text.split(" ").includes(scope)))
    .default("openid email profile")
    .describe("scopes with openid and email among them, such as HANDRAIL_OIDC_SCOPES='openid email groups'"),
  HANDRAIL_OIDC_GROUPS_CLAIM: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .default("groups")
    .describe("the name of the claim that holds a person's groups, such as HANDRAIL_OIDC_GROUPS_CLAIM=groups"),
  HANDRAIL_OIDC_ROLES: z
    .string()
    .refine((text) => parseGroupRoles(text) !== null)
    .optional()
    .describe(
      "which groups have which role (viewer, operator or admin), such as " +
        `HANDRAIL_OIDC_ROLES='{"ops-admins": "admin", "ops": "operator"}', or be left out to let in who is invited`,
    ),
});

type OfProvider = z.output<typeof provider> & z.output<typeof doors>;

/**
 * An incomplete single sign-on configuration must not silently disable it.
 * @returns what is wrong, in sentences
 */
export function halfAProvider(data: OfProvider): string[] {
  const { HANDRAIL_OIDC_ISSUER: issuer, HANDRAIL_OIDC_CLIENT_ID: id, HANDRAIL_OIDC_CLIENT_SECRET: secret } = data;
  const parts = [issuer, id, secret];
  const wrong: string[] = [];
  if (parts.some((part) => part !== undefined) && parts.includes(undefined))
    wrong.push(
      "Sign-in through a provider takes all three: set HANDRAIL_OIDC_ISSUER, HANDRAIL_OIDC_CLIENT_ID and HANDRAIL_OIDC_CLIENT_SECRET, or none.",
    );
  if (data.HANDRAIL_OIDC_ROLES !== undefined && issuer === undefined)
    wrong.push("HANDRAIL_OIDC_ROLES is set, and there is no provider whose groups it means: set HANDRAIL_OIDC_ISSUER.");
  if (issuer !== undefined && data.HANDRAIL_SIGN_IN === "off")
    wrong.push("HANDRAIL_OIDC_ISSUER is set, and there is no sign-in: set HANDRAIL_SIGN_IN=on.");
  if (issuer !== undefined && data.HANDRAIL_ORIGIN === undefined)
    wrong.push(
      "HANDRAIL_OIDC_ISSUER is set, and the address to which the provider sends people back is missing: set HANDRAIL_ORIGIN, such as " +
        "HANDRAIL_ORIGIN=https://handrail.example.com.",
    );
  return wrong;
}

/** Below the origin: the redirect address registered with the provider, compared exactly. */
const CALLBACK = "/api/v1/session/provider/callback";

/** Null: people sign in with passwords only. */
export function providerOf(data: OfProvider) {
  const { HANDRAIL_OIDC_ISSUER: issuer, HANDRAIL_OIDC_CLIENT_ID: clientId } = data;
  const { HANDRAIL_OIDC_CLIENT_SECRET: clientSecret, HANDRAIL_ORIGIN: origin } = data;
  if (!issuer || !clientId || !clientSecret || !origin) return null;
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: data.HANDRAIL_OIDC_SCOPES,
    groupsClaim: data.HANDRAIL_OIDC_GROUPS_CLAIM,
    roles: parseGroupRoles(data.HANDRAIL_OIDC_ROLES ?? "") ?? (new Map() as GroupRoles),
    redirectUri: origin.replace(/\/$/, "") + CALLBACK,
  };
}
