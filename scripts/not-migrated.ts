import { sqlState } from "../lib/store/db";
import { StartError } from "./start-error";

/** No such database, schema, table or column. */
const NOT_MIGRATED = ["3D000", "3F000", "42P01", "42703"];

/** @throws StartError with what to do, where Handrail's tables are missing or old; the error itself otherwise */
export function explainMissingTables(error: unknown, migrateCommand = "npm run migrate"): never {
  if (!NOT_MIGRATED.includes(sqlState(error) ?? "")) throw error;
  throw new StartError(`There is no up-to-date Handrail in this database. \`${migrateCommand}\` brings it there.`);
}
