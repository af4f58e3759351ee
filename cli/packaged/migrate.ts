import type { Command } from "commander";
import { addressesOf, readEnvFile, readEnvOfApp } from "../../lib/env-of-app";
import { migrate } from "../../lib/store/migrations/migrate";
import { migrationScript } from "../../lib/store/migrations/script";
import { setSchema } from "../../lib/store/schema";
import { withScreen } from "../session/act";

/** `handrail migrate` of the package: on the database of DATABASE_URL, as an app names it. */
export function addMigrate(program: Command): void {
  program
    .command("migrate")
    .description("bring the database of DATABASE_URL up to date, and create it if there is none")
    .option("--sql", "print what would be applied, for others to apply it, and change nothing")
    .action(
      withScreen(async (screen, { sql = false }: { sql?: boolean }) => {
        readEnvFile(process.cwd());
        const env = readEnvOfApp({});
        setSchema(env.schema);
        if (sql) return screen.text(await migrationScript(env.directUrl));
        const { applied } = await migrate(addressesOf({}, env).directUrl, { say: (text) => screen.note(text) });
        const names = applied.join(", ");
        screen.answer({ applied }, () => (names === "" ? "The database is up to date." : `Applied ${names}.`));
      }),
    );
}
