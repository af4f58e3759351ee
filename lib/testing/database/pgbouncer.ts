import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { freePort } from "../../../scripts/ports";
import { serverUser } from "../../../scripts/postgres/server-user";
import { until } from "../until";

const PAGE = fileURLToPath(new URL("../../../docs/poolers-and-failover.md", import.meta.url));

/** PgBouncer between the tests and a database, set up as docs/poolers-and-failover.md says, with a pool of four. */
export interface TestPooler {
  /** The database's address through the pooler. */
  url: string;
  /** Like a crash, or a hurried upgrade: every connection through it breaks. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPooler(
  program: string,
  databaseUrl: string,
  changes: Record<string, string> = {},
): Promise<TestPooler> {
  const user = serverUser("/nonexistent"); // it refuses to run as root
  const folder = await mkdtemp(join(tmpdir(), "handrail-pgbouncer-"));
  const port = await freePort();
  const { hostname, port: databasePort, pathname, username, password } = new URL(databaseUrl);
  const users = join(folder, "userlist.txt");
  const settings = {
    host: hostname,
    port: databasePort,
    dbname: pathname.slice(1),
    listen_port: String(port),
    auth_file: users,
    default_pool_size: "4",
    ...changes,
  };
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const ini = join(folder, "pgbouncer.ini");
  await writeFile(ini, `${documentedIni(settings)}unix_socket_dir =\n`);
  await chmod(folder, 0o755);
  if (user) await chown(users, user.uid, user.gid);

  let process = await run(program, ini, port, user);
  const kill = async () => {
    const ended = once(process, "exit");
    process.kill("SIGKILL");
    await ended;
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  url.pathname = "/handrail";
  return {
    url: url.href,
    async restart() {
      await kill();
      process = await run(program, ini, port, user);
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

/** The page's own, with the values of the test's machine. */
function documentedIni(settings: Record<string, string>): string {
  const [, ini = ""] = /```ini\n(.*?)```/s.exec(readFileSync(PAGE, "utf8")) ?? [];
  return Object.entries(settings).reduce((text, [name, value]) => {
    const place = new RegExp(`(?<=\\b${name} ?= ?)('[^']*'|[^\\s']+)`);
    if (!place.test(text)) throw new Error(`The snippet in ${PAGE} has no ${name}.`);
    return text.replace(place, () => value);
  }, ini);
}

async function run(
  program: string,
  ini: string,
  port: number,
  user: { uid: number; gid: number } | undefined,
): Promise<ChildProcess> {
  const child = spawn(program, ["--quiet", ini], { stdio: "ignore", ...user });
  await until("PgBouncer's answer", async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
    const client = new pg.Client({ host: "127.0.0.1", port, user: "nobody", database: "none" });
    client.on("error", () => undefined);
    // It answers, even with an error.
    return client.connect().then(
      () => true,
      (error: { code?: string }) => error.code !== "ECONNREFUSED",
    );
  });
  return child;
}
