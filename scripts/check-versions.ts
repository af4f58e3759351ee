/**
 * `npm run check-versions`: would the open runs of a database continue with this code? Rehearses each, changes nothing,
 * and exits with 1 when any would not. For a deploy pipeline, before the new code's workers start.
 */
import path from "node:path";
import pg from "pg";
import type { AppServices } from "../lib/engine/workflows/workflow";
import { readEnv } from "../lib/env";
import { poolDb } from "../lib/store/db";
import { setSchema } from "../lib/store/schema";
import { checkVersions, type Misfit } from "../lib/worker/versions/check-versions";
import { loadApp } from "../load-app";
import { explainMissingTables } from "./not-migrated";
import { startEmbeddedPostgres } from "./postgres/embedded";
import { printError } from "./start-error";

async function main(): Promise<void> {
  const env = readEnv();
  setSchema(env.schema);
  if (env.databaseUrl) return report(env.databaseUrl);
  const server = await startEmbeddedPostgres({ dir: path.join(env.dataDir, "postgres") });
  await report(server.url()).finally(server.stop);
}

async function report(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString, max: 1, application_name: "handrail check-versions" });
  try {
    const { workflows, services } = await loadApp();
    const checked = checkVersions(poolDb(pool), workflows, services as AppServices);
    const { runs, misfits } = await checked.catch(explainMissingTables);
    for (const misfit of misfits) console.log(asText(misfit));
    console.log(
      misfits.length === 0
        ? `All ${runs} open runs go on with this code.`
        : `\n${misfits.length} of ${runs} open runs do not fit this code.`,
    );
    process.exitCode = misfits.length === 0 ? 0 : 1;
  } finally {
    await pool.end();
  }
}

function asText(misfit: Misfit): string {
  const run = `${misfit.workflow} v${misfit.begunWith} ${misfit.runId}`;
  if (misfit.kind === "no code")
    return misfit.chosen === null
      ? `!! ${run}: this code has no such workflow; the run waits until a worker has.`
      : `!! ${run}: this code does not have v${misfit.chosen}, which was chosen for it; the run waits until a worker has.`;
  const gone = misfit.gone.slice(0, 5).map((name) => `"${name}"`);
  const more = misfit.gone.length > gone.length ? ` and ${misfit.gone.length - gone.length} more` : "";
  const then = misfit.next.length > 0 ? `, and runs "${misfit.next[0]}" next` : "";
  const end = misfit.stops ? "the run would stop there" : "by its policy the run would go on";
  return `!! ${run}: v${misfit.version} does not come to ${gone.join(", ")}${more}, which is done${then}; ${end}.`;
}

main().catch((error) => {
  printError(error);
  process.exitCode = 1;
});
