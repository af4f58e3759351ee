import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CLAIM_HEADER } from "../../api/contract/remote";
import { gate } from "../until";
import type { anApi } from "./api";

/** A request that the API has refused. */
export interface Refusal {
  path: string;
  status: number;
  code: string;
}

/** The routes of the console on a real socket, for programs in other languages. */
export interface ApiServer {
  url: string;
  /** What was refused, in order. */
  refused: Refusal[];
  /** The next request whose path ends with this is carried out, and its answer is lost with the connection. */
  loseAnswer(path: string): Promise<void>;
  /** The next request whose path ends with this is carried out, and its answer is held back until it is released. */
  holdAnswer(path: string): { held: Promise<void>; release(): void };
  /** The next request whose path ends with this is not carried out: it is answered with this status, and these headers. */
  refuseNext(path: string, status: number, headers: Record<string, string>): Promise<void>;
  /** What was asked for and has not come is over. */
  forget(): void;
  close(): Promise<void>;
}

interface Fault {
  path: string;
  done: () => void;
}

const hits =
  (path: string) =>
  (fault: Fault): boolean =>
    path.endsWith(fault.path);

const BUSY = JSON.stringify({ error: { code: "too_busy", message: "A test.", details: {}, requestId: "test" } });

/** @param signIn whether the API knows tokens; without it, a program's token means nothing there, and is not handed on */
export async function startApiServer(
  api: Awaited<ReturnType<typeof anApi>>,
  { signIn = false } = {},
): Promise<ApiServer> {
  const handedOn = ["content-type", "idempotency-key", CLAIM_HEADER, ...(signIn ? ["authorization"] : [])];
  const refused: Refusal[] = [];
  let losses: Fault[] = [];
  let holds: (Fault & { released: Promise<void> })[] = [];
  let refusals: (Fault & { status: number; headers: Record<string, string> })[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url as string).slice("/api".length);
    const refusal = refusals.find(hits(path));
    if (refusal) {
      refusals = refusals.filter((candidate) => candidate !== refusal);
      await textOf(request);
      response.writeHead(refusal.status, { "content-type": "application/json", ...refusal.headers }).end(BUSY);
      return refusal.done();
    }
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const headers = Object.fromEntries(
      handedOn.flatMap((name) => (request.headers[name] ? [[name, request.headers[name]]] : [])),
    ) as Record<string, string>;
    const body = await textOf(request);
    const method = request.method as string;
    const sent = await api.send(method, path, { headers, signal: gone.signal, ...(method !== "GET" && { body }) });
    const text = await sent.text();
    if (sent.status >= 400) refused.push({ path, status: sent.status, code: JSON.parse(text).error.code });
    const hold = holds.find(hits(path));
    holds = holds.filter((candidate) => candidate !== hold);
    hold?.done();
    await hold?.released;
    const loss = losses.find(hits(path));
    if (!loss) return void response.writeHead(sent.status, { "content-type": "application/json" }).end(text);
    losses = losses.filter((candidate) => candidate !== loss);
    request.socket.destroy();
    loss.done();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    loseAnswer: (path) => new Promise((done) => losses.push({ path, done })),
    holdAnswer(path) {
      const [held, released] = [gate(), gate()];
      holds.push({ path, done: () => held.open(undefined), released: released.opened });
      return { held: held.opened, release: () => released.open(undefined) };
    },
    refuseNext: (path, status, headers) => new Promise((done) => refusals.push({ path, done, status, headers })),
    forget() {
      losses = [];
      holds = [];
      refusals = [];
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
