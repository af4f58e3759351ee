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

const SLOW = { onPostgres: true, mostSteps: Number.POSITIVE_INFINITY, isFast: false };
const FAST = { ...SLOW, isFast: true };

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
      { ...SLOW, name: "DBOS", module: "dbos", version: await versionOf("@dbos-inc/dbos-sdk") },
      {
        ...SLOW,
        name: "OpenWorkflow",
        module: "openworkflow",
        version: await versionOf("openworkflow"),
        mostSteps: 1_000,
      },
      {
        ...SLOW,
        name: "Restate",
        module: "restate",
        version: await versionOf("@restatedev/restate-server"),
        onPostgres: false,
      },
      { ...FAST, name: "Handrail", module: "handrail", version: await versionOf("handrail") },
      { ...FAST, name: "floor", module: "floor-one", version: "" },
      { ...FAST, name: "batched floor", module: "floor-batched", version: "" },
    ],
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
