import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readEnv, readEnvOfConsole, VARIABLES } from "./env";

const env = (source: Record<string, string>) => readEnv(source as unknown as NodeJS.ProcessEnv);
const complaints = (source: Record<string, string>, read: (source: NodeJS.ProcessEnv) => unknown = readEnv) => {
  try {
    read(source as unknown as NodeJS.ProcessEnv);
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
};

describe("readEnv", () => {
  it("needs nothing to be set", () => {
    expect(env({})).toEqual({
      port: 3000,
      host: "127.0.0.1",
      development: false,
      signIn: false,
      origin: null,
      proxies: 0,
      bootstrapToken: null,
      metricsToken: null,
      workerPort: null,
      otlpToken: null,
      traceUrl: null,
      traceRatio: null,
      auditKeys: null,
      provider: null,
      databaseUrl: undefined,
      directUrl: undefined,
      standby: null,
      fleet: null,
      build: null,
      schema: "handrail",
      dataDir: path.resolve(".handrail"),
      worker: "on",
      demo: false,
      sandboxPort: 3001,
      smtpPort: 3025,
      sandboxUrl: "http://127.0.0.1:3001",
      concurrency: 400,
      leaseMs: 4000,
      versionWaitMs: 60_000,
      keepMs: null,
      payloadKeys: null,
      mail: null,
      internalReceivers: [],
      publicOrigin: "http://localhost:3000",
      retention: true,
      logLevel: "info",
    });
  });

  it("takes the ratio of the app's traces from OpenTelemetry's variables", () => {
    const sampled = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.01" };
    expect(env(sampled).traceRatio).toBe(0.01);
  });

  it("takes an empty variable for one that is not set", () => {
    expect(env({ PORT: "", DATABASE_URL: "" })).toMatchObject({ port: 3000, databaseUrl: undefined });
  });

  it("derives the sandbox's address from its port, unless it is given", () => {
    expect(env({ HANDRAIL_SANDBOX_PORT: "4001" }).sandboxUrl).toBe("http://127.0.0.1:4001");
    expect(env({ HANDRAIL_SANDBOX_URL: "http://sandbox:80" }).sandboxUrl).toBe("http://sandbox:80");
  });

  it("knows the build of its code, also from the platform, and not from what cannot be one", () => {
    expect(env({ HANDRAIL_BUILD: "1.4.0", RENDER_GIT_COMMIT: "9f3c2d1" }).build).toBe("1.4.0");
    expect(env({ VERCEL_GIT_COMMIT_SHA: "", RENDER_GIT_COMMIT: "9f3c2d1" }).build).toBe("9f3c2d1");
    expect(env({ RENDER_GIT_COMMIT: "not one\n" }).build).toBeNull();
    expect(complaints({ HANDRAIL_BUILD: "two words" })[0]).toContain(
      "HANDRAIL_BUILD must be the commit or the version",
    );
  });

  it.each(["2026-11:c2hvcnQ=", "secret", `a:${"A".repeat(43)}=`])(
    "refuses %s for a payload key, without repeating it",
    (value) => {
      const [complaint, ...more] = complaints({ HANDRAIL_PAYLOAD_KEYS: value });
      expect(more).toEqual([]);
      expect(complaint).toMatch(
        /^HANDRAIL_PAYLOAD_KEYS must be an id, a colon and 32 bytes in base64, .*; it is something else\.$/,
      );
    },
  );

  it.each(["abc", "0", "65536", "3000.5", "-1"])("says what to write instead of PORT=%s", (value) => {
    expect(complaints({ PORT: value })).toEqual([
      `PORT must be a whole number from 1 to 65535, such as PORT=3000; it is "${value}".`,
    ]);
  });

  it("serves a worker's metrics to others with a token alone, and nowhere by default", () => {
    const open = { HANDRAIL_WORKER_PORT: "9464", HANDRAIL_WORKER_HOST: "0.0.0.0" };
    expect(complaints(open)).toEqual([
      'HANDRAIL_WORKER_HOST is "0.0.0.0", where others read the worker\'s metrics, and there is no token: set HANDRAIL_METRICS_TOKEN, ' +
        "or HANDRAIL_WORKER_HOST=127.0.0.1.",
    ]);
    const token = "5f0c9ab1e7d24f6083b1c2d3e4f5a6978877665544332211";
    expect(env({ ...open, HANDRAIL_METRICS_TOKEN: token }).workerPort).toEqual({ port: 9464, host: "0.0.0.0" });
    expect(env({ HANDRAIL_WORKER_PORT: "9464" }).workerPort).toEqual({ port: 9464, host: "127.0.0.1" });
    expect(complaints({ HANDRAIL_WORKER_HOST: "0.0.0.0" })).toEqual([]);
  });

  it.each(["127.0.0.1", "::1", "localhost"])("serves on the loopback host %s", (host) => {
    expect(env({ HOST: host }).host).toBe(host);
  });

  it("keeps the demo's terminal quiet, unless HANDRAIL_LOG is set", () => {
    expect(env({ HANDRAIL_DEMO: "on" }).logLevel).toBe("warn");
    expect(env({ HANDRAIL_DEMO: "on", HANDRAIL_LOG: "debug" }).logLevel).toBe("debug");
  });

  const OPEN = { HOST: "0.0.0.0", HANDRAIL_SIGN_IN: "on", HANDRAIL_ORIGIN: "https://handrail.example.com" };

  it("serves others only with sign-in, under the name that browsers know", () => {
    expect(env(OPEN)).toMatchObject({ host: "0.0.0.0", signIn: true, origin: "https://handrail.example.com" });
    expect(complaints({ HOST: "0.0.0.0" })).toEqual([
      expect.stringMatching(/^HOST is "0\.0\.0\.0".*no sign-in: set HANDRAIL_SIGN_IN=on/),
      expect.stringMatching(/set HANDRAIL_ORIGIN, such as/),
    ]);
    expect(complaints({ ...OPEN, HANDRAIL_DEMO: "on" })).toEqual([expect.stringContaining("this machine alone")]);
    const behindProxy = { HANDRAIL_DEMO: "on", HANDRAIL_ORIGIN: "https://handrail.example.com" };
    expect(complaints(behindProxy)).toEqual([expect.stringContaining("leave HOST and HANDRAIL_ORIGIN out")]);
    expect(env({ HANDRAIL_DEMO: "on", HANDRAIL_ORIGIN: "http://localhost:3000/" }).demo).toBe(true);
  });

  it("serves a console that others open only with sign-in, and lets workers name the same address", () => {
    const behindProxy = { HANDRAIL_ORIGIN: "https://handrail.example.com" };
    expect(complaints(behindProxy)).toEqual([]);
    expect(complaints(behindProxy, readEnvOfConsole)).toEqual([
      expect.stringMatching(
        /^HANDRAIL_ORIGIN is "https:\/\/handrail\.example\.com".*no sign-in: set HANDRAIL_SIGN_IN=on/,
      ),
    ]);
    expect(complaints({ ...behindProxy, HANDRAIL_SIGN_IN: "on" }, readEnvOfConsole)).toEqual([]);
    for (const HANDRAIL_ORIGIN of ["", "http://localhost:3000/", "https://localhost", "http://[::1]:4000"])
      expect(complaints({ HANDRAIL_ORIGIN }, readEnvOfConsole)).toEqual([]);
  });

  it.each([
    "http://handrail.example.com",
    "https://handrail.example.com/console",
    "https://user:secret@handrail.example.com",
    "ftp://handrail.example.com",
    "handrail.example.com",
  ])("refuses the origin %s", (origin) => {
    expect(complaints({ ...OPEN, HANDRAIL_ORIGIN: origin })).toEqual([
      expect.stringMatching(/^HANDRAIL_ORIGIN must be .*https/),
    ]);
  });

  it.each(["http://localhost:3000", "http://127.0.0.1:3000/", "https://localhost"])("takes the origin %s", (origin) => {
    expect(env({ ...OPEN, HANDRAIL_ORIGIN: origin }).origin).toBe(origin.replace(/\/$/, ""));
  });

  it.each(["short", "a".repeat(64), "abababababababababababababababababababab", `${"x1-".repeat(20)} `])(
    "refuses a weak bootstrap token, and does not repeat it",
    (token) => {
      const [complaint, ...more] = complaints({ HANDRAIL_BOOTSTRAP_TOKEN: token });
      expect(more).toEqual([]);
      expect(complaint).toMatch(/^HANDRAIL_BOOTSTRAP_TOKEN must be 32 bytes or more/);
      expect(complaint).not.toContain(token);
    },
  );

  it.each(["postgres://localhost/handrail", "postgresql://u:p@db:5432/handrail?sslmode=require"])(
    "takes the database %s",
    (url) => {
      expect(env({ DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );

  it.each(["mysql://u:secret@db/x", "secret", "postgresql://u:secret@db"])(
    "never repeats a wrong DATABASE_URL",
    (url) => {
      const [complaint, ...more] = complaints({ DATABASE_URL: url });
      expect(more).toEqual([]);
      expect(complaint).toMatch(/^DATABASE_URL must be .*postgresql:\/\/user:password@host:5432\/handrail/);
      expect(complaint).not.toContain("secret");
    },
  );

  it("takes the database's direct address, where a pooler is in front of it", () => {
    const urls = {
      DATABASE_URL: "postgresql://pooler:6432/handrail",
      DATABASE_DIRECT_URL: "postgresql://db:5432/handrail",
    };
    expect(env(urls)).toMatchObject({ databaseUrl: urls.DATABASE_URL, directUrl: urls.DATABASE_DIRECT_URL });
    expect(env({ DATABASE_URL: urls.DATABASE_URL })).toMatchObject({ directUrl: urls.DATABASE_URL });
  });

  it("refuses a direct address alone, and never repeats a wrong one", () => {
    expect(complaints({ DATABASE_DIRECT_URL: "postgresql://db/handrail" })).toEqual([
      expect.stringMatching(/^DATABASE_DIRECT_URL is set, and DATABASE_URL is not: set both/),
    ]);
    const [complaint] = complaints({ DATABASE_URL: "postgresql://db/h", DATABASE_DIRECT_URL: "mysql://u:secret@db/h" });
    expect(complaint).toMatch(/^DATABASE_DIRECT_URL must be .*without the pooler/);
    expect(complaint).not.toContain("secret");
  });

  it("refuses a list of hosts, and says what it wants instead", () => {
    expect(complaints({ DATABASE_URL: "postgresql://u:p@one,two/handrail" })).toEqual([
      expect.stringContaining("one host: after a failover, the same name has to lead to the new primary"),
    ]);
  });

  it("collects all that is wrong, a sentence each", () => {
    const wrong = { PORT: "x", HANDRAIL_WORKER: "no", HANDRAIL_LEASE_MS: "10", HANDRAIL_LOG: "loud" };
    expect(complaints(wrong).map((line) => line.split(" must be ")[0])).toEqual(Object.keys(wrong));
  });
});

describe("a sign-in provider", () => {
  const WITH_PROVIDER = {
    HANDRAIL_SIGN_IN: "on",
    HANDRAIL_ORIGIN: "https://handrail.example.com/",
    HANDRAIL_OIDC_ISSUER: "https://login.example.com/realms/ops",
    HANDRAIL_OIDC_CLIENT_ID: "handrail",
    HANDRAIL_OIDC_CLIENT_SECRET: "0123456789abcdef",
  };

  it("is known by issuer and client, and sends people back to one address", () => {
    const roles = { HANDRAIL_OIDC_ROLES: '{"ops-admins": "admin", "CN=ops,OU=groups": "operator"}' };
    expect(env({ ...WITH_PROVIDER, ...roles }).provider).toEqual({
      issuer: "https://login.example.com/realms/ops",
      clientId: "handrail",
      clientSecret: "0123456789abcdef",
      scopes: "openid email profile",
      groupsClaim: "groups",
      roles: new Map([
        ["ops-admins", "admin"],
        ["CN=ops,OU=groups", "operator"],
      ]),
      redirectUri: "https://handrail.example.com/api/v1/session/provider/callback",
    });
    expect(env(WITH_PROVIDER).provider?.roles.size).toBe(0);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ HANDRAIL_OIDC_CLIENT_SECRET: "" }, /takes all three: set HANDRAIL_OIDC_ISSUER, HANDRAIL_OIDC_CLIENT_ID and/],
    [{ HANDRAIL_OIDC_CLIENT_ID: "" }, /takes all three/],
    [{ HANDRAIL_SIGN_IN: "off" }, /there is no sign-in: set HANDRAIL_SIGN_IN=on/],
    [{ HANDRAIL_ORIGIN: "" }, /to which the provider sends people back is missing: set HANDRAIL_ORIGIN/],
    [{ HANDRAIL_OIDC_ISSUER: "http://login.example.com" }, /^HANDRAIL_OIDC_ISSUER must be .*https, unless/],
    [{ HANDRAIL_OIDC_ISSUER: "http://127.0.0.1.evil.example" }, /^HANDRAIL_OIDC_ISSUER must be/],
    [{ HANDRAIL_OIDC_ISSUER: "https://u:p@login.example.com" }, /^HANDRAIL_OIDC_ISSUER must be/],
    [{ HANDRAIL_OIDC_ISSUER: "https://login.example.com?x=1" }, /^HANDRAIL_OIDC_ISSUER must be/],
    [{ HANDRAIL_OIDC_ISSUER: "login.example.com" }, /^HANDRAIL_OIDC_ISSUER must be/],
    [{ HANDRAIL_OIDC_CLIENT_SECRET: "short" }, /^HANDRAIL_OIDC_CLIENT_SECRET must be .*; it is something else\.$/],
    [{ HANDRAIL_OIDC_SCOPES: "openid profile" }, /^HANDRAIL_OIDC_SCOPES must be scopes with openid and email/],
    [{ HANDRAIL_OIDC_ROLES: "ops=operator" }, /^HANDRAIL_OIDC_ROLES must be which groups have which role/],
    [{ HANDRAIL_OIDC_ROLES: '{"ops": "root"}' }, /^HANDRAIL_OIDC_ROLES must be/],
    [{ HANDRAIL_OIDC_ROLES: "{}" }, /^HANDRAIL_OIDC_ROLES must be/],
    [{ HANDRAIL_OIDC_ROLES: '["ops"]' }, /^HANDRAIL_OIDC_ROLES must be/],
    [{ HANDRAIL_OIDC_ROLES: '{"": "viewer"}' }, /^HANDRAIL_OIDC_ROLES must be/],
  ])("is refused at the start with %j", (change, sentence) => {
    const messages = complaints({ ...WITH_PROVIDER, ...change });
    expect(messages).toEqual([expect.stringMatching(sentence)]);
  });
});

const complaintIn = (source: Record<string, string>) => complaints(source).join("\n");

it("a fleet takes a name, all cells and a secret, and names what is wrong with them", () => {
  const secret = "0123456789abcdefghijklmnopqrstuvwxyz";
  const whole = {
    HANDRAIL_CELL: "eu",
    HANDRAIL_CELLS: "eu=https://eu.example.com/, us-1=http://127.0.0.1:4000",
    HANDRAIL_FLEET_SECRET: secret,
    HANDRAIL_SIGN_IN: "on",
  };
  expect(env(whole).fleet).toEqual({
    own: "eu",
    cells: new Map([
      ["eu", "https://eu.example.com"],
      ["us-1", "http://127.0.0.1:4000"],
    ]),
    secret,
  });
  for (const name of Object.keys(whole).slice(0, 3))
    expect(complaintIn({ ...whole, [name]: "" }), name).toBe(
      "A fleet takes all three: set HANDRAIL_CELL, HANDRAIL_CELLS and HANDRAIL_FLEET_SECRET, or none.",
    );
  expect(complaintIn({ ...whole, HANDRAIL_SIGN_IN: "off" })).toMatch(/other machines, and there is no sign-in/);
  const here = { HANDRAIL_CELLS: "eu=http://127.0.0.1:4000,us=http://localhost:4001", HANDRAIL_SIGN_IN: "off" };
  expect(complaintIn({ ...whole, ...here })).toBe("");
  expect(complaintIn({ ...whole, HANDRAIL_CELL: "asia" })).toMatch(/"asia", which is not among HANDRAIL_CELLS/);
  for (const cells of [
    "eu",
    "eu=ftp://x",
    "eu=http://eu.example.com",
    "EU=https://a",
    "eu=https://a,eu=https://b",
    ",",
  ])
    expect(complaintIn({ ...whole, HANDRAIL_CELLS: cells }), cells).toMatch(/^HANDRAIL_CELLS must be the name of each/);
  const weak = complaintIn({ ...whole, HANDRAIL_FLEET_SECRET: "short-secret" });
  expect(weak).toMatch(/^HANDRAIL_FLEET_SECRET must be 32 bytes/);
  expect(weak).not.toContain("short-secret");
});

it("a standby to read from is optional, needs the address of its primary, and its password is not repeated", () => {
  expect(env({ DATABASE_URL: "postgresql://db/h" }).standby).toBeNull();
  const both = { DATABASE_URL: "postgresql://db/h", DATABASE_READ_URL: "postgresql://standby/h" };
  expect(env(both).standby).toEqual({ databaseUrl: both.DATABASE_READ_URL, maxLagMs: 10_000 });
  expect(env({ ...both, HANDRAIL_READ_MAX_LAG_MS: "500" }).standby?.maxLagMs).toBe(500);
  expect(complaints({ DATABASE_READ_URL: both.DATABASE_READ_URL })[0]).toMatch(
    /^DATABASE_READ_URL is set, and DATABASE_URL/,
  );
  const [complaint] = complaints({ ...both, DATABASE_READ_URL: "mysql://u:secret@db/h" });
  expect(complaint).toMatch(/^DATABASE_READ_URL must be .*streaming standby/);
  expect(complaint).not.toContain("secret");
  expect(complaints({ ...both, HANDRAIL_READ_MAX_LAG_MS: "0" })[0]).toMatch(/^HANDRAIL_READ_MAX_LAG_MS must be/);
});

it("docs/settings.md lists every variable", () => {
  const page = readFileSync("docs/settings.md", "utf8");
  expect(VARIABLES).toContain("HANDRAIL_ORIGIN");
  expect(VARIABLES.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
