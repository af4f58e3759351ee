import { it } from "vitest";
import { EnvError, readEnv, readEnvOfConsole } from "../../lib/env";
import { attackTable, unless } from "./table";

const holds = attackTable("start-up");

const complaintOf = (given: Record<string, string>, read: typeof readEnv = readEnv): string | null => {
  try {
    read(given as unknown as NodeJS.ProcessEnv);
    return null;
  } catch (error) {
    if (error instanceof EnvError) return error.message;
    throw error;
  }
};

const OPEN = { HOST: "0.0.0.0", HANDRAIL_SIGN_IN: "on", HANDRAIL_ORIGIN: "https://handrail.example.com" };

it("nothing starts where others reach it without sign-in, a name and https", async () => {
  const hosts = [
    "0.0.0.0",
    "::",
    "192.168.1.5",
    "10.0.0.1",
    "127.0.0.2",
    "127.1",
    "0",
    "2130706433",
    "0x7f000001",
    "localhost.",
    "LOCALHOST.example",
    "::ffff:127.0.0.1",
    "handrail.example.com",
  ];
  const settings: Record<string, string>[] = [
    {},
    { HANDRAIL_SIGN_IN: "on" },
    { HANDRAIL_ORIGIN: "https://handrail.example.com" },
    { HANDRAIL_SIGN_IN: "off", HANDRAIL_ORIGIN: "https://handrail.example.com" },
    { HANDRAIL_SIGN_IN: "on", HANDRAIL_ORIGIN: "http://handrail.example.com" },
    { ...OPEN, HANDRAIL_DEMO: "on" },
  ];
  const rows = hosts.flatMap((HOST) => settings.map((given) => ({ ...given, HOST })));
  await holds(rows, async (given) => unless(complaintOf(given) !== null, JSON.stringify(given), "it starts"));
});

it("no console starts behind a proxy without sign-in, wherever it listens itself", async () => {
  const origins = ["https://handrail.example.com", "https://192.168.1.5", "https://localhost.example.com"];
  const rows = origins.flatMap((origin) =>
    ["127.0.0.1", "::1", "localhost"].map((HOST) => ({ HOST, HANDRAIL_ORIGIN: origin })),
  );
  await holds(rows, async (given) =>
    unless(complaintOf(given, readEnvOfConsole) !== null, JSON.stringify(given), "it starts"),
  );
});

it("a switch is on or off, and whatever else is said is not taken for either", async () => {
  const words = ["true", "1", "yes", "ON", "on ", "enabled", "0", "false"];
  const names = ["HANDRAIL_SIGN_IN", "HANDRAIL_WORKER", "HANDRAIL_DEMO", "HANDRAIL_RETENTION"];
  const rows = names.flatMap((name) => words.map((word) => ({ name, word })));
  await holds(rows, async ({ name, word }) =>
    unless(complaintOf({ [name]: word }) !== null, `${name}=${word}`, "taken"),
  );
});

it("an origin is scheme, host and port, over https but for loopback", async () => {
  const origins = [
    "http://handrail.example.com",
    "http://192.168.1.5:3000",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "https://handrail.example.com/console",
    "https://handrail.example.com?x",
    "https://handrail.example.com#x",
    "https://user:secret@handrail.example.com",
    "https://*.example.com",
    "https://handrail.example.com,https://evil.example",
    "//handrail.example.com",
    "javascript:alert(1)",
    "null",
    "*",
  ];
  await holds(origins, async (origin) =>
    unless(complaintOf({ ...OPEN, HANDRAIL_ORIGIN: origin }) !== null, origin, "taken"),
  );
});

it("weak and well-known secrets are refused, and never repeated", async () => {
  const tokens = [
    "secret",
    "admin",
    "x".repeat(31),
    "a".repeat(64),
    "ab".repeat(32),
    "0123456789".repeat(4),
    "abcdefghijkl".repeat(3),
    "change-me-change-me-change-me-now-1",
    "ChangeMe-0123456789-abcdefghijklmn",
    "a-password-of-32-bytes-and-a-few-0",
    "this-is-an-example-token-of-32-bytes",
    "your-token-goes-here-0123456789abc",
    `with spaces ${"x1y2z3".repeat(6)}`,
    `line\r\nbreak-${"0123456789abcdef".repeat(2)}`,
    `${"0123456789abcdef".repeat(2)}ü`,
    "x".repeat(513),
  ];
  const zeros = (bytes: number, byte = 0) => Buffer.alloc(bytes, byte).toString("base64");
  const keys = [
    "k1:",
    "k1:short",
    `k1:${zeros(32)}`,
    `k1:${zeros(64, 255)}`,
    `k1:${Buffer.from("secret".repeat(8)).toString("base64")}`,
    `k1:${zeros(31, 7)}`,
    `:${zeros(32)}`,
    `K1:${zeros(32)}`,
    zeros(32),
  ];
  const rows = [
    ...tokens.map((value) => ({ name: "HANDRAIL_BOOTSTRAP_TOKEN", value })),
    ...keys.map((value) => ({ name: "HANDRAIL_AUDIT_KEY", value })),
    ...["postgres://u:s3cr3t@h", "mysql://u:s3cr3t@h/x", "s3cr3t", "postgresql://u:s3cr3t@a,b/x"].map((value) => ({
      name: "DATABASE_URL",
      value,
    })),
  ];
  await holds(rows, async ({ name, value }) => {
    const said = complaintOf({ ...OPEN, [name]: value });
    const repeats = value.length > 8 && said?.includes(value);
    return unless(said !== null && !repeats, `${name}=${value.slice(0, 40)}`, said ?? "taken");
  });
});
