import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { SMTPServer } from "smtp-server";
import { BLOB_MAX_BYTES, openBlobs } from "./blobs";
import { Faults } from "./faults";
import { JournalFolder } from "./journal";
import { openMailbox } from "./mailbox";
import { openOnCall } from "./on-call";
import { openPayments } from "./payments";
import { answerError, Refusal } from "./refusal";
import { faultRoutes, type Http, type World } from "./trouble";
import { openUsers } from "./users";
import { openWebhooks } from "./webhooks";

/** The sandbox is for the machine it runs on. */
const HOST = "127.0.0.1";
const JSON_MAX_BYTES = 1024 * 1024;
/** How long an answer under way may hold up a stop. */
const CLOSE_MS = 500;

interface SandboxOptions {
  /** 0 takes any free port; so does `smtpPort`. */
  port: number;
  smtpPort: number;
  /** Where the journals are, made if missing. One sandbox at a time. */
  directory: string;
}

export interface Sandbox {
  port: number;
  smtpPort: number;
  url: string;
  stop(): Promise<void>;
}

/** The services outside the workflows, over real sockets. Rejects when a port is taken or a journal is damaged. */
export async function startSandbox({ port, smtpPort, directory }: SandboxOptions): Promise<Sandbox> {
  const journals = new JournalFolder(directory);
  const stopping = new AbortController();
  const closers = [() => journals.close()];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopping.abort();
    stopped ??= closeInTurn(closers.reverse());
    return stopped;
  };
  try {
    const { app, smtp } = await openServices({
      journals,
      faults: await Faults.open(journals),
      stopping: stopping.signal,
    });
    const http = createServer(getRequestListener(app.fetch));
    closers.push(
      () => httpClosed(http),
      () => smtpClosed(smtp),
    );
    const ports = { port: await listen(http, port), smtpPort: await listen(smtp.server, smtpPort) };
    return { ...ports, url: `http://${HOST}:${ports.port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openServices(world: World) {
  const mailbox = await openMailbox(world);
  const app = new Hono<Http>()
    .use("/blobs/*", limit(BLOB_MAX_BYTES))
    .on(["POST", "PUT"], ["/payments/*", "/mail/*", "/users/*", "/webhooks/*", "/on-call/*"], limit(JSON_MAX_BYTES))
    .get("/health", (c) => c.json({ status: "ok" }))
    .route("/", faultRoutes(world.faults))
    .route("/payments", await openPayments(world))
    .route("/mail", mailbox.routes)
    .route("/blobs", await openBlobs(world))
    .route("/users", await openUsers(world))
    .route("/webhooks", await openWebhooks(world))
    .route("/on-call", await openOnCall(world))
    .onError(answerError)
    .notFound((c) => answerError(new Refusal("not_found", `no route ${c.req.method} ${c.req.path}`), c));
  return { app, smtp: mailbox.smtp };
}

function limit(maxSize: number) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new Refusal("too_large", `a body may have ${maxSize} bytes`);
    },
  });
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, HOST);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function closeInTurn(closers: (() => Promise<void>)[]): Promise<void> {
  for (const close of closers) await close();
}

async function httpClosed(server: HttpServer): Promise<void> {
  const patience = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(patience);
}

function smtpClosed(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => server.close(resolve));
}
