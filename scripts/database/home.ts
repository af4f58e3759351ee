import type { App } from "../../lib/app";
import type { Env } from "../../lib/env";
import type { Addresses } from "../../lib/env-of-app";

/** What the commands on a database find where they are called: this repository, or an app that has the package. */
export interface Home {
  /** The settings of this process. */
  env: Env;
  /** Where consoles read from, if not from the database alone. */
  standby: Env["standby"];
  /** How a database is migrated here, as people write it. */
  migrateCommand: string;
  /**
   * Works on the database, whose address holds until the work has ended.
   * @throws with what to do where there is none
   */
  onDatabase<Result>(work: (addresses: Addresses) => Promise<Result>): Promise<Result>;
  /** @throws with what to do where Handrail's tables are missing or old, as far as this can be said beforehand */
  checkTables(): Promise<void>;
  /** What is migrated after Handrail's own tables. Returns the names of the migrations. */
  migrateMore(directUrl: string): Promise<string[]>;
  /**
   * The workflows that workers would run here.
   * @param config the file that names them, instead of the usual one
   */
  loadApp(config?: string): Promise<App>;
}
