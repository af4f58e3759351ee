import type { Transactions } from "../adapters/adapter";
import type { Schedule } from "../engine/schedules/schedule";
import type { AppServices, PgTransaction, Workflow } from "../engine/workflows/workflow";
import type { Logger } from "../log";

/** What an app says of itself, once: where it starts runs, and where its workflows run. */
export interface HandrailConfig<Tx = PgTransaction> {
  workflows: readonly Workflow[];
  /** Default: none. */
  schedules?: readonly Schedule[];
  /** `ctx.services` of the workflows that run here. Default: none. */
  services?: AppServices;
  /**
   * How `ctx.transaction` opens the app's transactions, and how `start` and `send` join one that is open: an adapter of
   * `handrail/prisma`, `/drizzle`, `/kysely`, `/knex`, `/typeorm`, `/postgres` or `/pg`. Default: plain `pg`, on
   * connections of Handrail's own.
   */
  transactions?: Transactions<Tx>;
  /** Default: DATABASE_URL. Other settings are read from the environment, as for `npm run worker`. */
  databaseUrl?: string;
  /** The same database without the pooler that `databaseUrl` leads through. Default: DATABASE_DIRECT_URL, or the same. */
  directUrl?: string;
  /** The name of this app in the audit log and in its workers' names. Default `"app"`. */
  name?: string;
  /** Default: lines of JSON on stderr, as HANDRAIL_LOG says. */
  log?: Logger;
}
