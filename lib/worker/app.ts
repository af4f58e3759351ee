import type { BlobStore } from "../engine/values/blob-store";
import type { Middleware } from "../engine/workflows/middleware";
import type { AppServices } from "../engine/workflows/workflow";
import type { TransactionSources } from "./transactions/transactions";

/** What a worker needs of the app for its workflows, on open connections. */
export interface OpenApp {
  transactions: TransactionSources;
  services: AppServices;
  /** Around bodies, the first one outermost. */
  middleware: readonly Middleware[];
  /** Of values over 1 MiB; undefined: there are none. */
  blobs?: BlobStore | undefined;
}
