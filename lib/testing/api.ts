import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

type Handler = (request: Request) => Promise<Response>;

interface RouteFile {
  /** From the project's root. */
  file: string;
  /** As endpoints write it: `/v1/runs/{runId}`. */
  path: string;
  exports: Record<string, Handler>;
}

const API = fileURLToPath(new URL("../../app/api", import.meta.url));
const ORIGIN = "http://127.0.0.1:3000";

/** Where a route is imported from. */
export interface RouteModule {
  /** Below the folder of the API. */
  file: string;
  path: string;
}

/** Every one there is, as Next finds them. */
export function routeFiles(): RouteModule[] {
  return readdirSync(API, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|[/\\])route\.ts$/.test(file))
    .map((file) => ({ file, path: join(API, file) }));
}

export async function loadRoutes(modules: readonly RouteModule[] = routeFiles()): Promise<RouteFile[]> {
  return Promise.all(
    modules.map(async ({ file, path }) => ({
      file: join("app/api", file),
      path: pathOf(file),
      exports: (await import(/* @vite-ignore */ pathToFileURL(path).href)) as RouteFile["exports"],
    })),
  );
}

function pathOf(file: string): string {
  const folders = relative(".", file).split(sep).slice(0, -1);
  return `/${folders.join("/")}`.replaceAll(/\[\.\.\.(\w+)\]/g, "{$1*}").replaceAll(/\[(\w+)\]/g, "{$1}");
}

export interface Asking {
  /** Sent as JSON, unless it is text, bytes or a stream already. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answered {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the server said
  body: any;
}

/** The HTTP API without the socket: requests go to the route that Next would choose. */
export async function anApi(modules?: readonly RouteModule[]) {
  const routes = await loadRoutes(modules);
  const send = (method: string, path: string, { body, headers, signal }: Asking = {}): Promise<Response> => {
    const url = new URL(`/api${path}`, ORIGIN);
    const text =
      body === undefined || typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream
        ? body
        : JSON.stringify(body);
    const request = new Request(url, {
      method,
      headers: { ...(text !== undefined && { "content-type": "application/json" }), ...headers },
      ...(text !== undefined && { body: text as BodyInit, duplex: "half" }),
      ...(signal && { signal }),
    });
    const handler = routeOf(routes, url.pathname.slice("/api".length)).exports[method] as Handler;
    return handler(request);
  };
  const ask = async (method: string, path: string, asking: Asking = {}): Promise<Answered> => {
    const response = await send(method, path, asking);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return { routes, send, ask };
}

/** Fixed parts before parameters, and parameters before the catch-all, as in Next. */
function routeOf(routes: readonly RouteFile[], pathname: string): RouteFile {
  const rank = ({ path }: RouteFile) => path.replaceAll(/\{\w+\*\}/g, "~~").replaceAll(/\{\w+\}/g, "~");
  const found = routes
    .filter(({ path }) => pattern(path).test(pathname))
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
  if (!found) throw new Error(`No route for ${pathname}.`);
  return found;
}

const pattern = (path: string) =>
  new RegExp(
    `^${path
      .replaceAll(".", "\\.")
      .replaceAll(/\{\w+\*\}/g, ".+")
      .replaceAll(/\{\w+\}/g, "[^/]+")}$`,
  );
