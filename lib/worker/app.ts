import type { AppServices } from "../engine/workflows/workflow";
import type { TransactionSources } from "./transactions/transactions";

/** The app's services for its workflows. */
export interface App {
  transactions: TransactionSources;
  services: AppServices;
}
