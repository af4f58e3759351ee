import type { Env } from "../../lib/env";
import { StartError } from "../start-error";

const MODES = ["demo", "start", "dev", "worker"] as const;
export type Mode = (typeof MODES)[number];

/** `npm run demo -- --fresh` arrives here as ["demo", "--fresh"]. */
export function readArguments([first, ...flags]: string[]): { mode: Mode; fresh: boolean } {
  const mode = MODES.find((name) => name === first);
  if (!mode) throw new StartError(`Write one of \`npm run ${MODES.join("`, `npm run ")}\`; "${first ?? ""}" is none.`);
  const unknown = flags.find((flag) => flag !== "--fresh");
  if (unknown) throw new StartError(`${unknown} is not an option. The only one is --fresh: npm run demo -- --fresh`);
  const fresh = flags.length > 0;
  if (fresh && mode !== "demo")
    throw new StartError("--fresh throws all data away, and that is for the demo alone: npm run demo -- --fresh");
  return { mode, fresh };
}

export function refuseFreshOutside({ databaseUrl }: Env): void {
  if (!databaseUrl) return;
  throw new StartError(
    "--fresh deletes the demo's own database, and DATABASE_URL names one outside, which Handrail never deletes. " +
      "Unset DATABASE_URL to start over with the embedded database, or name an empty database.",
  );
}
