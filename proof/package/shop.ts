import { spawn } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { until } from "../../lib/testing/until";
import { anEmptyApp, execute, install } from "./installed-app";

const SHOP = fileURLToPath(new URL("app/shop.mjs", import.meta.url));
type AtEnd = (work: () => void | Promise<void>) => void;

/** A folder with the shop and one of the packages. */
export async function aShopWith(tarball: string, atEnd: AtEnd): Promise<string> {
  const folder = await anEmptyApp();
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await cp(SHOP, path.join(folder, "shop.mjs"));
  await install(folder, [tarball]);
  return folder;
}

export type Shop = ReturnType<typeof aShop>;

/**
 * The shop of a folder, in a process for each `start` and each worker.
 * @param leaseMs short where a worker is killed: its runs are taken over when its lease ends
 */
export function aShop(folder: string, pool: Pool, version: 1 | 2, atEnd: AtEnd, leaseMs = 3_000) {
  const addresses = { DATABASE_URL: pool.options.connectionString, DATABASE_DIRECT_URL: "" };
  const env = { ...process.env, ...addresses, SHOP_VERSION: String(version), HANDRAIL_LEASE_MS: String(leaseMs) };
  return {
    migrate: () => execute(path.join(folder, "node_modules/.bin/handrail"), ["migrate"], { cwd: folder, env }),
    start: (from: number, to: number) =>
      execute(process.execPath, ["shop.mjs", "start", String(from), String(to)], { cwd: folder, env }),
    aWorker() {
      const child = spawn(process.execPath, ["shop.mjs", "worker"], {
        cwd: folder,
        env,
        stdio: ["ignore", "ignore", "pipe"],
      });
      atEnd(() => void child.kill("SIGKILL"));
      let said = "";
      child.stderr.on("data", (text) => (said += text));
      return {
        kill: (signal: NodeJS.Signals) => child.kill(signal),
        /** Until it takes runs. */
        async isThere(): Promise<void> {
          const rows = "select from handrail.worker where pid = $1";
          await until("A worker", async () => (await pool.query(rows, [child.pid])).rows.length > 0).catch((error) => {
            throw new Error(`${error.message} It said:\n${said}`);
          });
        },
        /** As a deploy stops it: its steps in flight finish. */
        async stop(): Promise<void> {
          child.kill("SIGTERM");
          await until("The worker's end", () => child.exitCode !== null || child.signalCode !== null);
          if (child.exitCode !== 0)
            throw new Error(`A worker ended with ${child.exitCode ?? child.signalCode}:\n${said}`);
        },
      };
    },
  };
}

/** The shop's tables. */
export async function makeTables(pool: Pool): Promise<void> {
  for (const table of ["placed (id int primary key, version int)", "paid (id int primary key, version int)"])
    await pool.query(`create table ${table}`);
  await pool.query("create table charged (id int, key text)");
}

export async function completed(pool: Pool): Promise<number> {
  const { rows } = await pool.query("select count(*)::int as n from handrail.run where status = 'completed'");
  return rows[0].n;
}
