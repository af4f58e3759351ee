import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../scripts/ports";
import { run } from "../../../scripts/postgres/run";
import { serverUser } from "../../../scripts/postgres/server-user";

/** A PostgreSQL 15 for a test, from the folder of its programs. */
export interface Postgres15 {
  /** The address of a database, which need not exist. */
  url(database: string): string;
  stop(): Promise<void>;
}

export async function startPostgres15(programs: string): Promise<Postgres15> {
  const user = serverUser("/nonexistent"); // it refuses to run as root
  const folder = await mkdtemp(join(tmpdir(), "handrail-postgres-15-"));
  if (user) await chown(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const port = await freePort();
  const call = async (program: string, ...args: string[]) => {
    const output = args.includes("start") ? ("none" as const) : undefined;
    const options = { cwd: folder, ...(user && { user }), ...(output && { output }) };
    const ended = await run(join(programs, program), ["-D", data, ...args], options);
    if (ended.code !== 0) throw new Error(`${program} ended with ${ended.code}: ${ended.output}`);
  };
  await call("initdb", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync");
  const place = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  await call("pg_ctl", "-l", join(folder, "log"), "-w", "-t", "120", "-o", place, "start");
  return {
    url: (database) => `postgresql://postgres@127.0.0.1:${port}/${database}`,
    async stop() {
      await call("pg_ctl", "-m", "immediate", "-w", "stop");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
