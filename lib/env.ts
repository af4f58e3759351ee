import path from "node:path";
import { z } from "zod";
import { parseAuditKeys } from "./engine/audit/audit-keys";
import { parsePayloadKeys } from "./engine/privacy/payload-keys";
import { isSchemaName, SCHEMA_RULE, USUAL_SCHEMA } from "./engine/schema-name";
import { ratioOf } from "./engine/traces/trace-ratio";
import { build, buildOf } from "./env-build";
import { isDatabaseUrl, isTraceUrl } from "./env-checks";
import { demo } from "./env-demo";
import { doors, openConsole, openDoors, workerPortOf } from "./env-doors";
import { fleet, fleetOf, halfAFleet } from "./env-fleet";
import { wholeNumber } from "./env-kinds";
import { mailOf, outbound, receiversOf } from "./env-outbound";
import { halfAProvider, provider, providerOf } from "./env-provider";
import { standby, standbyOf } from "./env-standby";

/**
 * The only place that reads the environment. Every variable has a description that completes the sentence "<NAME> must
 * be …", so that a wrong value is answered with what to write instead.
 * A group of variables that are checked together has a file: env-doors.ts, env-provider.ts, env-outbound.ts, env-demo.ts, env-build.ts, env-standby.ts,
 * env-fleet.ts.
 */

const databaseUrl = z.string().refine(isDatabaseUrl).optional();

const variables = z.object({
  ...doors.shape,
  ...provider.shape,
  ...build.shape,
  DATABASE_URL: databaseUrl.describe(
    "the address of a PostgreSQL 15 or newer, such as DATABASE_URL=postgresql://user:password@host:5432/handrail " +
      "(one host: after a failover, the same name has to lead to the new primary), or be left out to use the embedded one",
  ),
  DATABASE_DIRECT_URL: databaseUrl.describe(
    "the address of the same database without the pooler that DATABASE_URL leads through, " +
      "such as DATABASE_DIRECT_URL=postgresql://user:password@host:5432/handrail, or be left out where there is no pooler",
  ),
  ...standby.shape,
  ...fleet.shape,
  HANDRAIL_SCHEMA: z.string().refine(isSchemaName).default(USUAL_SCHEMA).describe(SCHEMA_RULE),
  HANDRAIL_DATA: z.string().default(".handrail").describe("a folder, such as HANDRAIL_DATA=.handrail"),
  HANDRAIL_WORKER: z
    .enum(["on", "off"])
    .default("on")
    .describe("on, or off to serve the console without running workflows here"),
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
  ...demo.shape,
  ...outbound.shape,
  HANDRAIL_TRACE_URL: z
    .string()
    .refine(isTraceUrl)
    .optional()
    .describe(
      "where people look at a trace, an http(s) address with {traceId} after its host, such as " +
        "HANDRAIL_TRACE_URL=https://tempo.example.com/trace/{traceId}, or be left out",
    ),
  HANDRAIL_LOG: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .optional()
    .describe("trace, debug, info, warn, error or silent"),
});

/** The name of each variable. */
export const VARIABLES = Object.keys(variables.shape);

export type Env = ReturnType<typeof readEnv>;

/** Everything that is wrong with the environment at once, one sentence per variable. */
export class EnvError extends Error {
  override name = "EnvError";
}

function validated(source: NodeJS.ProcessEnv) {
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
  if (data.DATABASE_READ_URL && !data.DATABASE_URL)
    throw new EnvError(
      "DATABASE_READ_URL is set, and DATABASE_URL is not: set both. The embedded database has no standby.",
    );
  const together = [...openDoors(data), ...halfAProvider(data), ...halfAFleet(data)];
  if (together.length > 0) throw new EnvError(together.join("\n"));
  return data;
}

/** @throws EnvError */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const data = validated(source);
  return {
    port: data.PORT,
    host: data.HOST,
    signIn: data.HANDRAIL_SIGN_IN === "on",
    /** Null: any name of loopback. */
    origin: data.HANDRAIL_ORIGIN?.replace(/\/$/, "") ?? null,
    /** The console does not serve https itself: browsers reach it over https through a proxy. */
    proxies: data.HANDRAIL_PROXIES ?? (data.HANDRAIL_ORIGIN?.startsWith("https:") ? 1 : 0),
    bootstrapToken: data.HANDRAIL_BOOTSTRAP_TOKEN ?? null,
    metricsToken: data.HANDRAIL_METRICS_TOKEN ?? null,
    /** Null: a worker serves neither metrics nor health. */
    workerPort: workerPortOf(data),
    otlpToken: data.HANDRAIL_OTLP_TOKEN ?? null,
    /** Where people look at a trace, with `{traceId}` in it; null: nowhere. */
    traceUrl: data.HANDRAIL_TRACE_URL ?? null,
    /** Of the SDK that an app may have beside Handrail; null: not said by OpenTelemetry's variables. */
    traceRatio: ratioOf(source.OTEL_TRACES_SAMPLER, source.OTEL_TRACES_SAMPLER_ARG),
    /** Null: people sign in with passwords only. */
    provider: providerOf(data),
    databaseUrl: data.DATABASE_URL,
    /** For session features: LISTEN, heartbeats, migrations. Same as `databaseUrl` by default. */
    directUrl: data.DATABASE_DIRECT_URL ?? data.DATABASE_URL,
    standby: standbyOf(data),
    fleet: fleetOf(data),
    schema: data.HANDRAIL_SCHEMA,
    /** Absolute, so that child processes use the same folder. */
    dataDir: path.resolve(data.HANDRAIL_DATA),
    worker: data.HANDRAIL_WORKER,
    demo: data.HANDRAIL_DEMO === "on",
    /** While Next serves sources. */
    development: source.NODE_ENV === "development",
    sandboxPort: data.HANDRAIL_SANDBOX_PORT,
    smtpPort: data.HANDRAIL_SMTP_PORT,
    sandboxUrl: data.HANDRAIL_SANDBOX_URL ?? `http://127.0.0.1:${data.HANDRAIL_SANDBOX_PORT}`,
    build: buildOf(data.HANDRAIL_BUILD, source),
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

/**
 * Of a process that serves the console, or starts it.
 * @throws EnvError
 */
export function readEnvOfConsole(source: NodeJS.ProcessEnv = process.env): Env {
  const env = readEnv(source);
  const wrong = openConsole(env);
  if (wrong.length > 0) throw new EnvError(wrong.join("\n"));
  return env;
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
