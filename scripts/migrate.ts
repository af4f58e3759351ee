import { homeOfRepository } from "./database/home-of-repository";
import { appliedText, migrateDatabase, migrationSql } from "./database/migrate";
import { printError, StartError } from "./start-error";

/**
 * `npm run migrate`: brings the database up to date, and does nothing else. With `-- --sql` it prints what it would
 * apply, for others to apply it, and changes nothing.
 */
async function main(): Promise<void> {
  const [option, ...more] = process.argv.slice(2);
  if (more.length > 0 || (option !== undefined && option !== "--sql"))
    throw new StartError("`npm run migrate` takes no argument but `-- --sql`.");
  if (option) return void process.stdout.write(await migrationSql(homeOfRepository()));
  console.log(appliedText(await migrateDatabase(homeOfRepository(), console.log)));
}

main().catch((error) => {
  printError(error);
  process.exitCode = 1;
});
