import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { VERSION } from "../../../lib/engine/version";
import { Refused } from "../../session/stops";

const PACKAGE = "@handrail/console";
const INSTALL = `npm install ${PACKAGE}@${VERSION}`;

/** What the package exports. */
export interface InstalledConsole {
  /** Its program. */
  server: string;
  /** The folder with the programs of the demo. */
  demo: string;
}

/**
 * The console that is installed for the app in this folder.
 * @throws Refused with what to install, where it is missing or of another version: both speak to the same tables
 */
export async function findConsole(folder: string): Promise<InstalledConsole> {
  const app = createRequire(path.join(folder, "package.json"));
  const entry = resolved(app, PACKAGE);
  if (!entry) throw new Refused(`The console is a package by itself. \`${INSTALL}\` brings it.`);
  const { version } = app(`${PACKAGE}/package.json`) as { version: string };
  if (version !== VERSION)
    throw new Refused(`${PACKAGE} is ${version} here, and handrail is ${VERSION}. \`${INSTALL}\` brings the same.`);
  return (await import(pathToFileURL(entry).href)) as InstalledConsole;
}

/** Whether the app in this folder has a console, of whatever version. */
export const hasConsole = (folder: string): boolean =>
  resolved(createRequire(path.join(folder, "package.json")), PACKAGE) !== undefined;

function resolved(app: NodeJS.Require, name: string): string | undefined {
  try {
    return app.resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
