import type { Env } from "../../lib/env";
import { StartError } from "../start-error";

const MODES = ["demo", "start", "dev", "worker"] as const;
export type Mode = (typeof MODES)[number];

/** `npm run demo -- --fresh` arrives here as ["demo", "--fresh"]. */
export function readArguments([first, ...flags]: string[]): { mode: Mode; fresh: boolean; observe: boolean } {
  const mode = MODES.find((name) => name === first);
  if (!mode) throw new StartError(`Write one of \`npm run ${MODES.join("`, `npm run ")}\`; "${first ?? ""}" is none.`);
  const unknown = flags.find((flag) => !["--fresh", "--observe"].includes(flag));
  if (unknown)
    throw new StartError(
      `${unknown} is not an option. There are --fresh and --observe: npm run demo -- --fresh --observe`,
    );
  const [fresh, observe] = [flags.includes("--fresh"), flags.includes("--observe")];
  if (fresh && mode !== "demo")
    throw new StartError("--fresh throws all data away, and that is for the demo alone: npm run demo -- --fresh");
  if (observe && mode !== "demo")
    throw new StartError(
      "--observe starts Prometheus beside the demo alone: npm run demo -- --observe (docs/signals/metrics.md has the rest)",
    );
  return { mode, fresh, observe };
}

export function refuseFreshOutside({ databaseUrl }: Env): void {
  if (!databaseUrl) return;
  throw new StartError(
    "--fresh deletes the demo's own database, and DATABASE_URL names one outside, which Handrail never deletes. " +
      "Unset DATABASE_URL to start over with the embedded database, or name an empty database.",
  );
}
