import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pack } from "../../../scripts/pack/pack";
import { aScratchFolder } from "../../package/installed-app";
import type { Engine } from "./peer";

const ENGINES = fileURLToPath(new URL("./engines", import.meta.url));
const execute = promisify(execFile);

/** A folder with the engines as npm has them, and Handrail as `npm run pack` makes it. */
export async function openHome(): Promise<{ folder: string; engines: Engine[]; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-peers-"));
  const scratch = await aScratchFolder();
  const [{ tarball }] = await Promise.all([pack(scratch), cp(ENGINES, folder, { recursive: true })]);
  const npm = (...args: string[]) =>
    execute("npm", [...args, "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
  await npm("ci");
  await npm("install", "--no-save", tarball);
  await rm(scratch, { recursive: true, force: true });
  const versionOf = async (name: string) =>
    JSON.parse(await readFile(path.join(folder, "node_modules", name, "package.json"), "utf8")).version as string;
  return {
    folder,
    engines: [
      { name: "DBOS", module: "dbos", onPostgres: true, version: await versionOf("@dbos-inc/dbos-sdk") },
      { name: "OpenWorkflow", module: "openworkflow", onPostgres: true, version: await versionOf("openworkflow") },
      { name: "Restate", module: "restate", onPostgres: false, version: await versionOf("@restatedev/restate-server") },
      { name: "Handrail", module: "handrail", onPostgres: true, version: await versionOf("handrail") },
      { name: "floor", module: "floor-one", onPostgres: true, version: "" },
      { name: "batched floor", module: "floor-batched", onPostgres: true, version: "" },
    ],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
