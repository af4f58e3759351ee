import path from "node:path";
import { z } from "zod";
import { type GroupRoles, parseGroupRoles } from "./engine/access/group-roles";
import { parseAuditKeys } from "./engine/audit/audit-keys";
import { parsePayloadKeys } from "./engine/privacy/payload-keys";
import { isSchemaName, SCHEMA_RULE, USUAL_SCHEMA } from "./engine/schema-name";
import {
  isDatabaseUrl,
  isIssuer,
  isMailServer,
  isOrigin,
  isReceiver,
  isStrongSecret,
  LOOPBACK_ORIGIN,
} from "./env-checks";

/**
 * The only place that reads the environment. Every variable has a description that completes the sentence "<NAME> must
 * be …", so that a wrong value is answered with what to write instead.
 */

const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const port = (name: string, usual: number) =>
  wholeNumber(1, 65_535).default(usual).describe(`a whole number from 1 to 65535, such as ${name}=${usual}`);

const LOOPBACK: readonly string[] = ["127.0.0.1", "::1", "localhost"];

const databaseUrl = z.string().refine(isDatabaseUrl).optional();

const variables = z.object({
  PORT: port("PORT", 3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]{1,253}$/)
    .default("127.0.0.1")
    .describe("a name or address of this machine, such as HOST=127.0.0.1, or HOST=0.0.0.0 together with sign-in"),
  HANDRAIL_SIGN_IN: z
    .enum(["on", "off"])
    .default("off")
    .describe("on, or off where only this machine reaches the console and everyone on it may operate it"),
  HANDRAIL_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin)
    .optional()
    .describe(
      "where browsers find the console, scheme, host and port alone, such as HANDRAIL_ORIGIN=https://handrail.example.com " +
        "(https, unless it is this machine's loopback)",
    ),
  HANDRAIL_PROXIES: wholeNumber(0, 10)
    .optional()
    .describe(
      "how many of your proxies are in front, each of which appends its client's address to x-forwarded-for, a whole number from 0 to 10, " +
        "such as HANDRAIL_PROXIES=2; 1 with an https HANDRAIL_ORIGIN unless you say otherwise, and 0 without",
    ),
  HANDRAIL_BOOTSTRAP_TOKEN: z
    .string()
    .refine(isStrongSecret)
    .optional()
    .describe(
      "32 bytes or more of random data, in characters that a header accepts, such as HANDRAIL_BOOTSTRAP_TOKEN=$(openssl rand -hex 32), " +
        "or be left out",
    ),
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
  DATABASE_URL: databaseUrl.describe(
    "the address of a PostgreSQL 15 or newer, such as DATABASE_URL=postgresql://user:password@host:5432/handrail " +
      "(one host: after a failover, the same name has to lead to the new primary), or be left out to use the embedded one",
  ),
  DATABASE_DIRECT_URL: databaseUrl.describe(
    "the address of the same database without the pooler that DATABASE_URL leads through, " +
      "such as DATABASE_DIRECT_URL=postgresql://user:password@host:5432/handrail, or be left out where there is no pooler",
  ),
  HANDRAIL_SCHEMA: z.string().refine(isSchemaName).default(USUAL_SCHEMA).describe(SCHEMA_RULE),
  HANDRAIL_DATA: z.string().default(".handrail").describe("a folder, such as HANDRAIL_DATA=.handrail"),
  HANDRAIL_WORKER: z
    .enum(["on", "off"])
    .default("on")
    .describe("on, or off to serve the console without running workflows here"),
  HANDRAIL_DEMO: z.enum(["on", "off"]).default("off").describe("on or off; `npm run demo` sets it"),
  HANDRAIL_SANDBOX_PORT: port("HANDRAIL_SANDBOX_PORT", 3001),
  HANDRAIL_SMTP_PORT: port("HANDRAIL_SMTP_PORT", 3025),
  HANDRAIL_SANDBOX_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("an address that begins with http:// or https://, such as HANDRAIL_SANDBOX_URL=http://127.0.0.1:3001"),
  HANDRAIL_CONCURRENCY: wholeNumber(1, 10_000)
    .default(400)
    .describe(
      "how many runs one worker has in flight, a whole number from 1 to 10000, such as HANDRAIL_CONCURRENCY=400",
    ),
  HANDRAIL_LEASE_MS: wholeNumber(500, 600_000)
    .default(4000)
    .describe(
      "after how many milliseconds of silence a worker's runs are taken over, a whole number from 500 to 600000, " +
        "such as HANDRAIL_LEASE_MS=4000",
    ),
  HANDRAIL_VERSION_WAIT_MS: wholeNumber(0, 86_400_000)
    .default(60_000)
    .describe(
      "for how many milliseconds no live worker has had a version of a workflow before another version goes on with what it has " +
        "begun, a whole number from 0 to 86400000, such as HANDRAIL_VERSION_WAIT_MS=60000",
    ),
  HANDRAIL_KEEP_DAYS: wholeNumber(1, 36_500)
    .optional()
    .describe(
      "for how many days ended runs are kept of workflows that do not say it themselves, a whole number from 1 to 36500, " +
        "such as HANDRAIL_KEEP_DAYS=90, or be left out to keep them forever",
    ),
  HANDRAIL_RETENTION: z
    .enum(["on", "off"])
    .default("on")
    .describe("on, or off so that this worker deletes nothing, whatever its workflows say"),
  HANDRAIL_AUDIT_KEY: z
    .string()
    .refine((text) => parseAuditKeys(text) !== null)
    .optional()
    .describe(
      "an id, a colon and 32 bytes or more in base64, such as HANDRAIL_AUDIT_KEY=2026-11:$(openssl rand -base64 32), " +
        "with earlier keys after it, separated by commas, or be left out to use the one in HANDRAIL_DATA",
    ),
  HANDRAIL_PAYLOAD_KEYS: z
    .string()
    .refine((text) => parsePayloadKeys(text) !== null)
    .optional()
    .describe(
      "an id, a colon and 32 bytes in base64, such as HANDRAIL_PAYLOAD_KEYS=2026-11:$(openssl rand -base64 32), with other keys " +
        "that values are sealed with after it, separated by commas, each with a different id, or be left out to keep payloads in clear",
    ),
  HANDRAIL_SMTP_URL: z
    .string()
    .refine(isMailServer)
    .optional()
    .describe(
      "the address of a mail server, such as HANDRAIL_SMTP_URL=smtp://user:password@mail.example.com:587 (smtps:// where TLS comes " +
        "first), or be left out to send no mail",
    ),
  HANDRAIL_MAIL_FROM: z
    .string()
    .regex(/^[^\s@<>"\p{Cc}]{1,64}@[A-Za-z0-9.-]{1,253}$/u)
    .default("handrail@localhost")
    .describe("the address that mail comes from, such as HANDRAIL_MAIL_FROM=handrail@example.com"),
  HANDRAIL_INTERNAL_RECEIVERS: z
    .string()
    .refine((text) => text.split(",").every(isReceiver))
    .optional()
    .describe(
      "origins of webhooks inside your own network, separated by commas, such as " +
        "HANDRAIL_INTERNAL_RECEIVERS=http://10.0.0.5:9000,https://hooks.internal, or be left out to reach none",
    ),
  HANDRAIL_LOG: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .optional()
    .describe("trace, debug, info, warn, error or silent"),
});

export type Env = ReturnType<typeof readEnv>;

/** Everything that is wrong with the environment at once, one sentence per variable. */
export class EnvError extends Error {
  override name = "EnvError";
}

export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== "")); // PORT= means "not set"
  const { data, error } = variables.safeParse(given);
  if (error) {
    const wrong = new Set(error.issues.map((issue) => issue.path[0] as keyof typeof variables.shape));
    throw new EnvError([...wrong].map((name) => complaint(name, given[name] ?? "")).join("\n"));
  }
  if (data.DATABASE_DIRECT_URL && !data.DATABASE_URL)
    throw new EnvError(
      "DATABASE_DIRECT_URL is set, and DATABASE_URL is not: set both, or neither to use the embedded database. " +
        "A single address is DATABASE_URL.",
    );
  refuseOpenDoors(data);
  refuseHalfAProvider(data);
  return {
    port: data.PORT,
    host: data.HOST,
    signIn: data.HANDRAIL_SIGN_IN === "on",
    /** Null: any name of loopback. */
    origin: data.HANDRAIL_ORIGIN?.replace(/\/$/, "") ?? null,
    /** The console does not serve https itself: browsers reach it over https through a proxy. */
    proxies: data.HANDRAIL_PROXIES ?? (data.HANDRAIL_ORIGIN?.startsWith("https:") ? 1 : 0),
    bootstrapToken: data.HANDRAIL_BOOTSTRAP_TOKEN ?? null,
    /** Null: people sign in with passwords only. */
    provider: providerOf(data),
    databaseUrl: data.DATABASE_URL,
    /** For session features: LISTEN, heartbeats, migrations. Same as `databaseUrl` by default. */
    directUrl: data.DATABASE_DIRECT_URL ?? data.DATABASE_URL,
    /** The database schema that has everything of this installation. */
    schema: data.HANDRAIL_SCHEMA,
    /** Absolute, so that child processes use the same folder. */
    dataDir: path.resolve(data.HANDRAIL_DATA),
    worker: data.HANDRAIL_WORKER,
    demo: data.HANDRAIL_DEMO === "on",
    /** `npm run dev`: Next sets it. */
    development: source.NODE_ENV === "development",
    sandboxPort: data.HANDRAIL_SANDBOX_PORT,
    smtpPort: data.HANDRAIL_SMTP_PORT,
    sandboxUrl: data.HANDRAIL_SANDBOX_URL ?? `http://127.0.0.1:${data.HANDRAIL_SANDBOX_PORT}`,
    concurrency: data.HANDRAIL_CONCURRENCY,
    leaseMs: data.HANDRAIL_LEASE_MS,
    versionWaitMs: data.HANDRAIL_VERSION_WAIT_MS,
    /** Null: forever. */
    keepMs: data.HANDRAIL_KEEP_DAYS === undefined ? null : data.HANDRAIL_KEEP_DAYS * 86_400_000,
    /** Null: the key that is kept in `dataDir`. */
    auditKeys: data.HANDRAIL_AUDIT_KEY === undefined ? null : parseAuditKeys(data.HANDRAIL_AUDIT_KEY),
    /** Null: payloads are stored unencrypted. */
    payloadKeys: data.HANDRAIL_PAYLOAD_KEYS === undefined ? null : parsePayloadKeys(data.HANDRAIL_PAYLOAD_KEYS),
    /** Null: no mail is sent. */
    mail: mailOf(data),
    /** Destinations that webhooks may use besides the public internet, also over http. */
    internalReceivers: receiversOf(data),
    /** The console's address in the links of messages. */
    publicOrigin: data.HANDRAIL_ORIGIN?.replace(/\/$/, "") ?? `http://localhost:${data.PORT}`,
    retention: data.HANDRAIL_RETENTION === "on",
    /** The script in package.json that npm, pnpm or yarn runs: they set it. */
    npmScript: source.npm_lifecycle_event,
    /** The demo runs in a person's terminal. */
    logLevel: data.HANDRAIL_LOG ?? (data.HANDRAIL_DEMO === "on" ? ("warn" as const) : ("info" as const)),
  };
}

type OfDoors = Pick<z.output<typeof variables>, "HOST" | "HANDRAIL_SIGN_IN" | "HANDRAIL_ORIGIN" | "HANDRAIL_DEMO">;

/**
 * If others can reach the console, they must sign in, at an address that their browser can trust; and none of them may
 * be the demo's admin.
 */
function refuseOpenDoors({ HOST, HANDRAIL_SIGN_IN, HANDRAIL_ORIGIN, HANDRAIL_DEMO }: OfDoors): void {
  const wrong: string[] = [];
  const isOpen = !LOOPBACK.includes(HOST);
  const isElsewhere = HANDRAIL_ORIGIN !== undefined && !LOOPBACK_ORIGIN.test(HANDRAIL_ORIGIN.replace(/\/$/, ""));
  if (isOpen && HANDRAIL_SIGN_IN === "off")
    wrong.push(
      `HOST is "${HOST}", where others reach the console, and there is no sign-in: set HANDRAIL_SIGN_IN=on, or HOST=127.0.0.1.`,
    );
  if (isOpen && HANDRAIL_ORIGIN === undefined)
    wrong.push(
      `HOST is "${HOST}", and the address at which browsers open the console is missing: set HANDRAIL_ORIGIN, such as ` +
        "HANDRAIL_ORIGIN=https://handrail.example.com.",
    );
  if (HANDRAIL_DEMO === "on" && (isOpen || isElsewhere))
    wrong.push("The demo is for this machine alone: leave HOST and HANDRAIL_ORIGIN out.");
  if (wrong.length > 0) throw new EnvError(wrong.join("\n"));
}

type OfProvider = z.output<typeof variables>;

/** An incomplete single sign-on configuration must not silently disable it. */
function refuseHalfAProvider(data: OfProvider): void {
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
  if (wrong.length > 0) throw new EnvError(wrong.join("\n"));
}

/** Below the origin: the redirect address registered with the provider, compared exactly. */
const CALLBACK = "/api/v1/session/provider/callback";

function providerOf(data: OfProvider) {
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

type OfOutbound = z.output<typeof variables>;

/** The demo's mailbox is the default. */
function mailOf(data: OfOutbound): { url: string; from: string } | null {
  const demos = data.HANDRAIL_DEMO === "on" ? `smtp://127.0.0.1:${data.HANDRAIL_SMTP_PORT}` : undefined;
  const url = data.HANDRAIL_SMTP_URL ?? demos;
  return url === undefined ? null : { url, from: data.HANDRAIL_MAIL_FROM };
}

function receiversOf({ HANDRAIL_INTERNAL_RECEIVERS, HANDRAIL_DEMO, ...data }: OfOutbound): string[] {
  const given = HANDRAIL_INTERNAL_RECEIVERS?.split(",").map((text) => text.replace(/\/$/, "")) ?? [];
  return HANDRAIL_DEMO === "on" ? [...given, `http://127.0.0.1:${data.HANDRAIL_SANDBOX_PORT}`] : given;
}

export type ProviderSettings = NonNullable<Env["provider"]>;

/** The environment of a child process: our own with some variables set. */
export function environmentWith(changes: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** Their values are not repeated. */
const SECRET = /^DATABASE_|_KEYS?$|_TOKEN$|_SECRET$|_SMTP_URL$/;

function complaint(name: keyof typeof variables.shape, value: string): string {
  const shown = SECRET.test(name) ? "it is something else" : `it is "${value}"`;
  return `${name} must be ${variables.shape[name].description}; ${shown}.`;
}
