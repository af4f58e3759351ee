import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { appApi, type HttpOptions, type Served } from "./app-api";

type ExpressHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** `app.use("/handrail", expressHandler(handrail))`, before or after `express.json()`. */
export function expressHandler(handrail: Served, options?: HttpOptions): ExpressHandler {
  const api = appApi(handrail, options);
  const listener = getRequestListener((request) => api(request, 0), { overrideGlobalObjects: false });
  return async (request, response) => {
    const { body } = request as { body?: unknown };
    // express.json() has read it.
    if (body !== undefined && request.readableEnded)
      Object.assign(request, { rawBody: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)) });
    await listener(request, response);
  };
}
