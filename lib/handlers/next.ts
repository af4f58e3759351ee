import { appApi, type HttpOptions, type Served } from "./app-api";

type Params = Record<string, string | string[] | undefined>;
type RouteHandler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/**
 * For the route handler of a catch-all folder, such as `app/handrail/[...path]/route.ts`:
 * `export const { GET, POST } = nextHandlers(handrail)`. Runs on Node.js, not on the edge.
 */
export function nextHandlers(handrail: Served, options?: HttpOptions): { GET: RouteHandler; POST: RouteHandler } {
  const api = appApi(handrail, options);
  const answer: RouteHandler = async (request, { params }) => {
    const rest = Object.values(await params).find(Array.isArray) ?? [];
    return api(request, new URL(request.url).pathname.split("/").length - 1 - rest.length);
  };
  return { GET: answer, POST: answer };
}
