import type { AppServices } from "../engine/workflows/workflow";
import type { TransactionSources } from "./transactions/transactions";

/** What the app gives its workflows to work with. */
export interface App {
  transactions: TransactionSources;
  services: AppServices;
}
