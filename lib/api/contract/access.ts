import { z } from "zod";
import { ACTIONS, ROLES, SCOPES } from "../../engine/access/permission";
import { nameProblem } from "../../engine/access/person-name";
import { plainText, reason } from "./requests";
import { instant } from "./values";

/** The name of an existing person. */
const personName = plainText.trim().min(1).max(100);
/** The name of a new person or token. */
const newName = personName.superRefine((name, { addIssue }) => {
  const message = nameProblem(name);
  if (message !== null) addIssue({ code: "custom", message });
});
/** Enough for a sentence; more would only cost processor time. */
const password = plainText.min(1).max(200);
/** Null: all of them. */
const workflows = z.array(plainText.min(1).max(200)).min(1).max(100).nullable();

export const signInRequest = z.strictObject({ name: personName, password }).meta({ id: "SignInRequest" });

export const demoSignInRequest = z.strictObject({ role: z.enum(ROLES) }).meta({ id: "DemoSignInRequest" });

export const setUpRequest = z
  .strictObject({ secret: plainText.min(1).max(100), name: newName.optional(), password })
  .meta({ id: "SetUpRequest" });

/** `next`: the page to open after sign-in. `invitation`: the secret of a link, to be used with it. */
export const providerSignInRequest = z
  .strictObject({ next: z.string().max(1_500).optional(), invitation: plainText.min(1).max(100).optional() })
  .meta({ id: "ProviderSignInRequest" });

/** Where to send the browser. */
export const providerSignInResponse = z.object({ url: z.url() }).meta({ id: "ProviderSignIn" });

/** As the provider sends it; the provider decides what it contains. */
export const providerAnswer = z.looseObject({});

const permissions = {
  actions: z.array(z.enum(ACTIONS)),
  workflows: z.array(z.string()).nullable(),
};

export const meResponse = z
  .object({
    name: z.string(),
    kind: z.enum(["person", "token", "system"]),
    role: z.enum(ROLES).nullable(),
    ...permissions,
    /** Of this session; null when there is none to end. */
    sessionId: z.uuid().nullable(),
    /** Whether there is sign-in at all. */
    signIn: z.boolean(),
  })
  .meta({ id: "Me" });

export const signedInResponse = z.object({ name: z.string() }).meta({ id: "SignedIn" });
export const doneResponse = z.object({ done: z.literal(true) }).meta({ id: "Done" });

const granted = { role: z.enum(ROLES), payloadRead: z.boolean(), workflows };

export const personSchema = z
  .object({ id: z.uuid(), name: z.string(), ...granted, createdAt: instant, disabledAt: instant.nullable() })
  .meta({ id: "Person" });
export const personListResponse = z.object({ people: z.array(personSchema) }).meta({ id: "PersonListResponse" });

export const invitationRequest = z
  .strictObject({
    name: newName,
    role: z.enum(ROLES),
    payloadRead: z.boolean().default(false),
    workflows: workflows.default(null),
    reason,
  })
  .meta({ id: "InvitationRequest" });

/** The secret goes into the link `/set-up#SECRET`. Returned once: null when the same request is sent again. */
export const invitationResponse = z
  .object({ name: z.string(), secret: z.string().nullable() })
  .meta({ id: "InvitationResponse" });

export const personChangeRequest = z
  .strictObject({ ...granted, disabled: z.boolean(), reason })
  .meta({ id: "PersonChangeRequest" });

export const tokenSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scopes: z.array(z.string()),
    workflows: z.array(z.string()).nullable(),
    createdAt: instant,
    createdBy: z.string(),
    expiresAt: instant,
    usedAt: instant.nullable(),
    revokedAt: instant.nullable(),
  })
  .meta({ id: "Token" });
export const tokenListResponse = z.object({ tokens: z.array(tokenSchema) }).meta({ id: "TokenListResponse" });

export const tokenRequest = z
  .strictObject({
    name: newName,
    scopes: z
      .array(z.enum(SCOPES as [string, ...string[]]))
      .min(1)
      .max(SCOPES.length),
    workflows: workflows.default(null),
    expiresInDays: z.int().min(1).max(366),
    reason,
  })
  .meta({ id: "TokenRequest" });

/** The secret is returned once: null when the same request is sent again. */
export const newTokenResponse = z
  .object({ token: tokenSchema, secret: z.string().nullable() })
  .meta({ id: "NewTokenResponse" });

export const revocationRequest = z.strictObject({ reason }).meta({ id: "RevocationRequest" });

export const sessionSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    createdAt: instant,
    seenAt: instant,
    expiresAt: instant,
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
    /** The session of this request. */
    current: z.boolean(),
  })
  .meta({ id: "Session" });
export const sessionListResponse = z.object({ sessions: z.array(sessionSchema) }).meta({ id: "SessionListResponse" });

export type Me = z.infer<typeof meResponse>;
export type PersonListResponse = z.infer<typeof personListResponse>;
export type TokenListResponse = z.infer<typeof tokenListResponse>;
export type SessionListResponse = z.infer<typeof sessionListResponse>;
export type InvitationRequest = z.input<typeof invitationRequest>;
export type TokenRequest = z.input<typeof tokenRequest>;
export type PersonChangeRequest = z.input<typeof personChangeRequest>;
export type SignInRequest = z.input<typeof signInRequest>;
export type DemoSignInRequest = z.input<typeof demoSignInRequest>;
export type ProviderSignInRequest = z.input<typeof providerSignInRequest>;
export type SetUpRequest = z.input<typeof setUpRequest>;
