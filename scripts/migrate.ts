import { createLogger } from "../lib/log";
import { onceReachable } from "../lib/worker/loop/once-reachable";
import { homeOfRepository } from "./database/home-of-repository";
import { appliedText, migrateDatabase, migrationSql } from "./database/migrate";
import { printError, StartError } from "./start-error";

/**
 * `npm run migrate`: brings the database up to date, and does nothing else. With `-- --sql` it prints what it would
 * apply, for others to apply it, and changes nothing. With `-- --wait` it begins once the database can be reached.
 */
async function main(): Promise<void> {
  const [option, ...more] = process.argv.slice(2);
  if (more.length > 0 || (option !== undefined && !["--sql", "--wait"].includes(option)))
    throw new StartError("`npm run migrate` takes no argument but `-- --sql` or `-- --wait`.");
  const home = homeOfRepository();
  if (option === "--sql") return void process.stdout.write(await migrationSql(home));
  const apply = async () => console.log(appliedText(await migrateDatabase(home, console.log)));
  if (option === "--wait") await onceReachable(apply, createLogger("migrate", home.env.logLevel));
  else await apply();
}

main().catch((error) => {
  printError(error);
  process.exitCode = 1;
});
