import type { Command } from "commander";
import { serving } from "../../session/act";
import { CONFIG_OPTION } from "../config/option";

/** `handrail dev` and `handrail start`: all that an app's workflows need on one machine. */
export function addDev(program: Command): void {
  program
    .command("dev")
    .description(
      "database, migrations, a worker that reloads on save, the console, and every run as it happens; DATABASE_URL, or an embedded PostgreSQL",
    )
    .addOption(CONFIG_OPTION())
    .action(
      serving(async (screen, { config }: { config?: string }) => {
        const { runDev } = await import("./run-dev");
        await runDev(screen, config);
      }),
    );
  program
    .command("start")
    .description("a worker and the console, kept running in production on the database of DATABASE_URL")
    .addOption(CONFIG_OPTION())
    .action(
      serving(async (screen, { config }: { config?: string }) => {
        const { runStart } = await import("./run-start");
        await runStart(screen, config);
      }),
    );
}
