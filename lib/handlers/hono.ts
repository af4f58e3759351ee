import type { Context } from "hono";
import { routePath } from "hono/route";
import { appApi, depthOf, type HttpOptions, type Served } from "./app-api";

/** For a route that ends in a star: `app.all("/handrail/*", honoHandler(handrail))`. */
export function honoHandler(handrail: Served, options?: HttpOptions): (context: Context) => Promise<Response> {
  const api = appApi(handrail, options);
  return (context) => api(context.req.raw, depthOf(routePath(context)) - 1);
}
