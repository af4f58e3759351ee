import type { AppServices } from "../engine/workflow";
import type { TransactionSources } from "./transactions";

/** What the app gives its workflows to work with. */
export interface App {
  transactions: TransactionSources;
  services: AppServices;
}
