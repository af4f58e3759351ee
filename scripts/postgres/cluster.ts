import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { StartError } from "../start-error";
import { findBinaries } from "./binaries";
import { findHome, makePrivate } from "./home";
import { isAlive, run, type ServerUser } from "./run";
import { serverUser } from "./server-user";

/** A cluster on disk: PostgreSQL's data directory with the password and the log beside it. */
export type Cluster = {
  home: string;
  data: string;
  log: string;
  password: string;
  binaries: string;
  user: ServerUser | undefined;
};

export type Settings = Record<string, string>;

/** Finds the cluster that belongs to a folder, or makes one. Any number of starters may do so at once. */
export async function findOrCreateCluster(dir: string, settings: Settings): Promise<Cluster> {
  const user = serverUser(path.join(dir, "cluster"));
  const home = await findHome(dir, user);
  const binaries = await findBinaries(user);
  const folder = path.join(home, "cluster");
  if (!existsSync(folder)) await createCluster({ home, folder, binaries, user, settings });
  return {
    home,
    data: path.join(folder, "data"),
    log: path.join(folder, "postgres.log"),
    password: await readPassword(folder),
    binaries,
    user,
  };
}

type Creation = { home: string; folder: string; binaries: string; user: ServerUser | undefined; settings: Settings };

/** Made beside and renamed: a kill leaves no half-made cluster, and of several starters one wins. */
async function createCluster({ home, folder, binaries, user, settings }: Creation): Promise<void> {
  await removeAbandonedDrafts(home);
  const draft = path.join(home, `cluster.${process.pid}.${randomBytes(4).toString("hex")}`);
  await makePrivate(draft, user);
  const password = path.join(draft, "password");
  await writeFile(password, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (user) await chown(password, user.uid, user.gid);
  await initdb({ data: path.join(draft, "data"), password, binaries, user, settings });
  await rename(draft, folder).catch(async (error) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
}

type Initdb = { data: string; password: string; binaries: string; user: ServerUser | undefined; settings: Settings };

async function initdb({ data, password, binaries, user, settings }: Initdb): Promise<void> {
  const program = path.join(binaries, "bin/initdb");
  const args = ["-D", data, "-U", "postgres", "--auth=scram-sha-256", `--pwfile=${password}`];
  // The same order of text on every machine, whatever its locales.
  args.push("-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C");
  if (settings.fsync === "off") args.push("--no-sync");
  const { code, output } = await run(program, args, { user, cwd: path.dirname(data) });
  if (code !== 0) throw new StartError(`The embedded PostgreSQL could not be set up: initdb said\n${output}`);
}

async function removeAbandonedDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = /^cluster\.(\d+)\./.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(path.join(home, name), { recursive: true, force: true });
  }
}

async function readPassword(folder: string): Promise<string> {
  try {
    return await readFile(path.join(folder, "password"), "utf8");
  } catch (cause) {
    throw new StartError(
      `The embedded database in ${folder} can't be read. If another user made it, start Handrail as that user; ` +
        "or set HANDRAIL_DATA to a folder of your own.",
      { cause },
    );
  }
}
