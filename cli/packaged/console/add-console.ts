import type { Command } from "commander";
import { serving } from "../../session/act";
import { CONFIG_OPTION } from "../config/option";

/** `handrail console`: the package `@handrail/console`, with the blob store of the app in this folder, kept running until it is stopped. */
export function addConsole(program: Command): void {
  program
    .command("console")
    .description("serve the console on the database of DATABASE_URL, until it is stopped (needs @handrail/console)")
    .option("--port <number>", "where it listens (PORT; default: 3000)")
    .option("--host <name>", "the address that it listens on (HOST; default: 127.0.0.1, this machine alone)")
    .addOption(CONFIG_OPTION())
    .action(
      serving(async (_screen, { port, host, config }: { port?: string; host?: string; config?: string }) => {
        const { serveInstalledConsole } = await import("./serve-installed-console");
        await serveInstalledConsole({ ...(port && { PORT: port }), ...(host && { HOST: host }) }, config);
      }),
    );
}
