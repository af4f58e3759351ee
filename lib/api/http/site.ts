import type { Asker } from "../../access/asker";
import type { Logger } from "../../log";
import type { Server } from "../../server";
import type { Endpoint } from "../endpoint";

/** Where the API is served: by the console, or by an app's own server. */
export interface Site {
  /** Opened by the first request. */
  server(): Server | Promise<Server>;
  /** Works also when the server cannot be opened. */
  log(): Logger;
  /** @throws HandrailError `unauthenticated` for wrong credentials; null without any */
  askerOf(request: Request, server: Server): Promise<Asker | null>;
  /** @throws HandrailError `invalid_request` for requests that another site's page sends */
  guard(request: Request): void;
  /** The strict-transport-security header; null for none. */
  transportSecurity(): string | null;
  /** Called when an endpoint has answered, with its path as declared. Default: nothing is measured. */
  onAnswer?(endpoint: Endpoint, status: number, ms: number): void;
}
