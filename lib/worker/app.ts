import type { AppServices } from "../engine/workflows/workflow";
import type { TransactionSources } from "./transactions/transactions";

/** What a worker needs of the app for its workflows, on open connections. */
export interface OpenApp {
  transactions: TransactionSources;
  services: AppServices;
}
