import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A connection between a worker and its database that loses nothing and can be made slow, or one-way. */
export interface Line {
  url: string;
  /** From now on, data arrives that much later, in either direction. */
  lag(ms: number): void;
  /** From now on, the worker's data arrives, but no answer does; no connection ends. */
  swallowAnswers(): void;
  /** Fast again, in both directions; connections that lost answers are closed. */
  mend(): void;
  close(): Promise<void>;
}

export async function openLine(databaseUrl: string): Promise<Line> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lagMs = 0;
  let isOneWay = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const [say, answer] = [inOrder(upstream), inOrder(client)];
    client.on("data", (chunk) => say(chunk, lagMs));
    upstream.on("data", (chunk) => isOneWay || answer(chunk, lagMs));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    lag(ms) {
      lagMs = ms;
    },
    swallowAnswers() {
      isOneWay = true;
    },
    mend() {
      lagMs = 0;
      if (isOneWay) cutAll();
      isOneWay = false;
    },
    async close() {
      cutAll();
      server.close();
      await once(server, "close");
    },
  };
}

/** Writes each chunk after its lag, and never before the one that came before it. */
function inOrder(to: Socket) {
  let last = Promise.resolve();
  return (chunk: Buffer, lagMs: number) => {
    const arrived = new Promise<void>((resolve) => (lagMs > 0 ? setTimeout(resolve, lagMs) : resolve()));
    last = last.then(() => arrived).then(() => void to.write(chunk));
  };
}
