import type { Pool } from "pg";
import { confirmed, type Transactions } from "./adapters/adapter";
import { pgTransactions } from "./adapters/pg";
import type { AlertRule } from "./engine/alerts/alert-rule";
import type { CaptureLogs } from "./engine/runs/log";
import type { Schedule } from "./engine/schedules/schedule";
import { type BlobStore, checkBlobStore } from "./engine/values/blob-store";
import { checkAreWorkflows } from "./engine/workflows/given-workflow";
import type { Middleware } from "./engine/workflows/middleware";
import type { AppTransaction, PgTransaction } from "./engine/workflows/step-options";
import type { AppServices, Workflow } from "./engine/workflows/workflow";
import type { Logger } from "./log";
import type { OpenApp } from "./worker/app";
import type { TransactionSource } from "./worker/transactions/transactions";

/** What an app gives to Handrail: the same for `createHandrail` as for handrail.config.ts, its console and its workers. */
export interface HandrailConfig<Tx = PgTransaction> {
  /** Those that workers run and that the console can start; a workflow may be there in several versions. */
  workflows: readonly Workflow[];
  /** Those that workers fire. Default: none. */
  schedules?: readonly Schedule[];
  /** Alert rules in code, of `defineAlerts`, which the console shows read-only. Default: none. */
  alerts?: readonly AlertRule[];
  /** `ctx.services` of every workflow. An app may leave out what none of its workflows uses. Default: none. */
  services?: Partial<AppServices>;
  /**
   * How `ctx.transaction` opens the app's transactions, and how `start` and `send` join one that is open: an adapter of
   * `handrail/prisma`, `/drizzle`, `/kysely`, `/knex`, `/typeorm`, `/postgres` or `/pg`, or a function that makes one on
   * connections of Handrail's own. Default: plain `pg`, on connections of Handrail's own.
   */
  transactions?: Transactions<Tx> | ((pool: Pool) => Transactions<Tx>);
  /** Code around the bodies of all steps, the first one outermost: for tenancy, tracing, auditing. Default: none. */
  middleware?: readonly Middleware[];
  /**
   * Where values over 1 MiB are kept, such as a bucket, the same for every process: then inputs, outputs of steps and results of
   * runs may have up to 64 MiB. Default: they are refused (docs/blobs.md).
   */
  blobs?: BlobStore;
  /** Default: DATABASE_URL. Other settings are read from the environment. */
  databaseUrl?: string;
  /** The same database without the pooler that `databaseUrl` leads through. Default: DATABASE_DIRECT_URL, or the same. */
  directUrl?: string;
  /** The name of this app in the names of its workers, and in the audit log. Default: none, and `"app"` in the audit log. */
  name?: string;
  /**
   * What bodies of steps log by `console`, or by a logger of `handrail/logs`, is kept with their run, too: for workflows that
   * do not say it themselves. Default: nothing.
   */
  captureLogs?: CaptureLogs;
  /** Default: lines of JSON on stderr, as HANDRAIL_LOG says. */
  log?: Logger;
}

/** An app with any library's transactions: what Handrail's processes are given. */
export type App = HandrailConfig<unknown>;

/** For handrail.config.ts. @throws HandrailError `invalid_workflow` if something else is among the workflows */
export function defineConfig<Tx = PgTransaction>(config: HandrailConfig<Tx>): HandrailConfig<Tx> {
  checkAreWorkflows(config.workflows);
  if (config.blobs !== undefined) checkBlobStore(config.blobs);
  return config;
}

/** The app's transactions, on its own connections or on these. */
export const openTransactions = ({ transactions = pgTransactions }: Pick<App, "transactions">, pool: Pool) =>
  typeof transactions === "function" ? transactions(pool) : transactions;

/** The app on the connections of one worker. */
export function openApp(app: Pick<App, "services" | "transactions" | "middleware" | "blobs">, pool: Pool): OpenApp {
  const { open, confirms } = openTransactions(app, pool);
  return {
    transactions: {
      // The app has declared its type as that of `ctx.transaction`.
      app: (confirms ? open : confirmed(open, pool)) as TransactionSource<AppTransaction>,
      pg: pgTransactions(pool).open,
    },
    services: (app.services ?? {}) as AppServices,
    middleware: app.middleware ?? [],
    blobs: app.blobs,
  };
}
