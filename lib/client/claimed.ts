import type { Client } from "../api/client/client";
import type { HttpRun } from "./http-context";
import type { HttpWorkflow } from "./http-workflow";

/** What a claim needs of the worker that holds it. */
export interface Holder {
  /** Asks about a claim, which its secret proves. Once it is dropped, nothing is sent any more, and nothing is answered. */
  clientFor(secret: string, dropped: AbortSignal): Client;
  /** Whether a body may begin: the last heartbeat that was answered is not too long ago. */
  owns(): boolean;
}

/** A claim, as its pass sees it. */
export interface Claimed {
  readonly run: HttpRun;
  readonly definition: HttpWorkflow;
  readonly client: Client;
  readonly holder: Holder;
  /** Aborted when nothing more is to begin. */
  readonly stopping: AbortSignal;
  /** The bodies': aborted when they are to end as well. */
  readonly signal: AbortSignal;
}
