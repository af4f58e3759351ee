import type { Pool } from "pg";
import { pgTransactions } from "./adapters/pg";
import type { Schedule } from "./engine/schedules/schedule";
import type { AppServices, AppTransaction, PgTransaction, Workflow } from "./engine/workflows/workflow";
import type { OpenApp } from "./worker/app";
import type { TransactionSource } from "./worker/transactions/transactions";

/** What an app gives to its workers and its console. */
export interface App {
  /** Those that workers run and that the console can start; a workflow may be there in several versions. */
  workflows: readonly Workflow[];
  /** Those that workers fire. */
  schedules: readonly Schedule[];
  /** `ctx.services` of every workflow. An app may leave out what none of its workflows uses. */
  services: Partial<AppServices>;
  /** Opens the transactions of `ctx.transaction` on the connections that a worker has for the app. */
  transactions: (pool: Pool) => TransactionSource<AppTransaction>;
}

/** Default: no workflows, schedules and services; transactions of a plain `pg` client. */
export function defineConfig(given: Partial<App>): App {
  const transactions = (pool: Pool) => {
    const pg: TransactionSource<PgTransaction> = pgTransactions(pool);
    return pg as TransactionSource<never>;
  };
  return { workflows: [], schedules: [], services: {}, transactions, ...given };
}

/** The app on the connections of one worker. */
export function openApp({ services, transactions }: Pick<App, "services" | "transactions">, pool: Pool): OpenApp {
  return { transactions: { app: transactions(pool), pg: pgTransactions(pool) }, services: services as AppServices };
}
