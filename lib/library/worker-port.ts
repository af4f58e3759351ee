import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Env } from "../env";
import type { Logger } from "../log";
import { registryOf } from "../operator/metrics/exposition";
import type { WorkerMetrics } from "./worker-metrics";

/** Another process has the port: the worker before this one, perhaps, which still finishes its steps. */
const TRY_AGAIN_MS = 1_000;
/** A request has no body, and its answer is made at once: what takes longer holds a connection and nothing else. */
const LONGEST_REQUEST_MS = 10_000;
const MOST_CONNECTIONS = 50;
/** Without a token this machine alone may ask, and none of its browsers for a page of another name. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

export interface PortSettings extends Pick<Env, "metricsToken"> {
  at: NonNullable<Env["workerPort"]>;
  metrics: WorkerMetrics;
  log: Logger;
}

/**
 * `GET /metrics`, `/api/health/live` and `/api/health/ready` of a worker's process. Health takes no token, as in the
 * console: probes have none. Whatever happens to it, the worker runs on.
 */
export class WorkerPort {
  private readonly server: Server;
  private readonly ofProcess = new Registry();
  private retry: NodeJS.Timeout | undefined;
  private warned = false;

  constructor(private readonly settings: PortSettings) {
    collectDefaultMetrics({ register: this.ofProcess });
    this.server = createServer({ requestTimeout: LONGEST_REQUEST_MS }, (request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        settings.log.warn({ err: error }, "could not answer a request for the worker's metrics");
        response.destroy();
      });
    });
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.on("error", (error) => this.tryAgain(error));
  }

  /** Begins to listen, and goes on trying. Waits for nothing. */
  open(): void {
    const { at, log } = this.settings;
    this.server.listen(at, () => log.info(at, "metrics and health of this worker"));
  }

  async close(): Promise<void> {
    clearTimeout(this.retry);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private tryAgain(error: Error): void {
    const { at, log } = this.settings;
    if (!this.warned)
      log.warn(
        `The worker runs, and cannot listen on ${at.host}:${at.port} (${error.message}): nobody reads its metrics until it can. ` +
          "Give each worker of a machine its own HANDRAIL_WORKER_PORT.",
      );
    this.warned = true;
    this.retry = setTimeout(() => this.open(), TRY_AGAIN_MS);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "" } = request;
    const [path] = url.split("?", 1);
    if (method !== "GET" && method !== "HEAD")
      return send(response, 405, "Only GET and HEAD.\n", { allow: "GET, HEAD" });
    if (path === "/api/health/live") return sendHealth(response, []);
    if (path === "/api/health/ready") return sendHealth(response, this.settings.metrics.problems());
    if (path !== "/metrics") return send(response, 404, "There is /metrics, /api/health/live and /api/health/ready.\n");
    if (!this.mayRead(request))
      return send(response, 401, "Send HANDRAIL_METRICS_TOKEN as a bearer token.\n", { "www-authenticate": "Bearer" });
    const text = await Registry.merge([registryOf(this.settings.metrics.families()), this.ofProcess]).metrics();
    send(response, 200, text, { "content-type": this.ofProcess.contentType });
  }

  private mayRead({ headers }: IncomingMessage): boolean {
    const { metricsToken } = this.settings;
    if (metricsToken === null) return LOOPBACK.test(headers.host ?? "");
    const [, given = ""] = /^Bearer (\S+)$/i.exec(headers.authorization ?? "") ?? [];
    return timingSafeEqual(hashOf(given), hashOf(metricsToken));
  }
}

const hashOf = (text: string) => createHash("sha256").update(text).digest();

function sendHealth(response: ServerResponse, problems: string[]): void {
  const status = problems.length === 0 ? "ok" : "unavailable";
  send(response, status === "ok" ? 200 : 503, JSON.stringify({ status, problems }), {
    "content-type": "application/json",
  });
}

function send(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(text);
}
