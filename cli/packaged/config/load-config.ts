import path from "node:path";
import { pathToFileURL } from "node:url";
import { createJiti } from "jiti";
import type { App } from "../../../lib/app";
import { Refused } from "../../session/stops";
import { explained, isPlacedByLoader } from "./explain";
import { initializedFields } from "./initialized-fields";

/**
 * The app of a configuration file. TypeScript is loaded with jiti, with the `paths` of the tsconfig.json above the file, with or
 * without extensions in imports, as ES modules and CommonJS modules; JavaScript with Node itself.
 * @throws Refused with the place in the app's file
 */
export async function loadConfig(file: string): Promise<App> {
  return appOf(file, await loadModule(file));
}

/** Any of the app's files, loaded likewise. @throws Refused with the place in it */
export const loadModule = (file: string): Promise<unknown> =>
  load(file).catch((error: unknown) => {
    throw new Refused(explained(file, error));
  });

async function load(file: string): Promise<unknown> {
  const jiti = createJiti(path.join(path.dirname(file), "/"), {
    // As Node does it; jiti's own wraps what CommonJS modules export, and breaks Prisma's client.
    interopDefault: false,
    jsx: { runtime: "automatic" },
    tsconfigPaths: true,
    transformOptions: { babel: { plugins: [initializedFields] } },
    // Files that were transformed with other options are not taken from jiti's cache.
    cacheVersion: "handrail-1",
  });
  if (!/\.[cm]?js$/.test(file)) return jiti.import(file);
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Node does not say where; jiti does.
    const placed = await jiti.import(file).catch((another: unknown) => another);
    throw isPlacedByLoader(placed) ? placed : error;
  }
}

/** A CommonJS module's `exports` is its default export, and may have one itself. */
function appOf(file: string, loaded: unknown): App {
  const { default: first } = (loaded ?? {}) as { default?: unknown };
  const app = ((first as { default?: unknown } | undefined)?.default ?? first) as Partial<App> | undefined;
  const name = path.basename(file);
  if (app === undefined)
    throw new Refused(`${name} has no default export: write \`export default defineConfig({ workflows: [ … ] });\`.`);
  if (!Array.isArray(app.workflows))
    throw new Refused(
      `The default export of ${name} names no workflows: write \`export default defineConfig({ workflows: [ … ] });\`.`,
    );
  return app as App;
}
