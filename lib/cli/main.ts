#!/usr/bin/env node
import { isHandrailError } from "../engine/errors";
import { EnvError } from "../env";
import { addressesOf, readEnvOfApp } from "../env-of-app";
import { migrate } from "../store/migrations/migrate";
import { migrationScript } from "../store/migrations/script";
import { setSchema } from "../store/schema";

const USAGE = `handrail migrate         brings the database of DATABASE_URL up to date, and creates it if there is none
handrail migrate --sql   prints what that would apply, for others to apply it, and changes nothing
`;

const print = (text: string) => void process.stdout.write(text);

/** The command of the package `handrail`. */
async function main(words: readonly string[]): Promise<void> {
  const [command, option, ...more] = words;
  const isKnown = command === "migrate" && more.length === 0 && (option === undefined || option === "--sql");
  if (!isKnown) {
    const isHelp = ["help", "--help", "-h"].includes(command ?? "");
    (isHelp ? process.stdout : process.stderr).write(USAGE);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const env = readEnvOfApp({});
  setSchema(env.schema);
  if (option === "--sql") return print(await migrationScript(env.directUrl));
  const { applied } = await migrate(addressesOf({}, env).directUrl, { say: (line) => print(`${line}\n`) });
  print(applied.length > 0 ? `Applied ${applied.join(", ")}.\n` : "The database is up to date.\n");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // Their messages say what to do; of anything else, where it comes from matters.
  const isExpected = isHandrailError(error) || error instanceof EnvError;
  process.stderr.write(`${isExpected ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
