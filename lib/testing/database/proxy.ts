import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

type Trouble = { on: string; after: string; mode: "lose-answer" | "cut"; done: () => void };

/** The end of every answer of Postgres: ReadyForQuery, five bytes long. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** A network between a worker and its database that loses messages on request. */
export interface TestProxy {
  /** The database's address through the proxy. */
  url: string;
  /**
   * The next request that contains `text` (a statement's name, or its words) is executed; its answer is lost with the
   * connection.
   * @param after counts only on a connection that has sent this before: a worker commits for other reasons, too
   */
  loseAnswer(text: string, after?: string): Promise<void>;
  /** The next request that contains `text` does not reach Postgres: the connection breaks before. */
  cut(text: string, after?: string): Promise<void>;
  /** From now on simple queries that begin with `text` are answered as by a server that does not have them. */
  refuse(text: string): void;
  /** Nothing passes any more in either direction, and no connection ends: a silent network failure. */
  goBlack(): void;
  heal(): void;
  /** From now on new connections end there: a name, or an address, that was moved after a failover. */
  leadTo(databaseUrl: string): void;
  close(): Promise<void>;
}

const QUERY = "Q".charCodeAt(0);

/** The answer to a simple query that begins with one of these: ErrorResponse, ReadyForQuery. */
function refusedIn(chunk: Buffer, refused: Set<string>): Buffer | undefined {
  if (chunk[0] !== QUERY) return undefined;
  const text = [...refused].find((begin) => chunk.subarray(5).toString().startsWith(begin));
  if (text === undefined) return undefined;
  const fields = Buffer.from(`SERROR\0VERROR\0C0A000\0M${text} is not supported\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields, READY, Buffer.from("I")]);
}

/** The fault for this request, once; `met` are those whose `after` its connection has sent. */
function take(chunk: Buffer, troubles: Set<Trouble>, met: Set<Trouble>): Trouble | undefined {
  for (const trouble of troubles) {
    if (chunk.includes(trouble.after)) met.add(trouble);
    if (!met.has(trouble) || !chunk.includes(trouble.on)) continue;
    troubles.delete(trouble);
    return trouble;
  }
  return undefined;
}

/** @param at the port to listen on; default: a free one */
export async function startProxy(databaseUrl: string, at = 0): Promise<TestProxy> {
  let { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const troubles = new Set<Trouble>();
  const refused = new Set<string>();
  let black = false;

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let losing: Trouble | undefined;
    const met = new Set<Trouble>();
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (chunk) => {
      if (black) return;
      const trouble = take(chunk, troubles, met);
      if (trouble?.mode === "cut") {
        end();
        return trouble.done();
      }
      const none = refusedIn(chunk, refused);
      if (none) return void client.write(none);
      losing ??= trouble;
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (black) return;
      if (!losing) return void client.write(chunk);
      if (!chunk.includes(READY)) return;
      end();
      losing.done();
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        if (!black) end();
      });
    }
  });
  server.listen(at, "127.0.0.1");
  await once(server, "listening");
  const url = Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${(server.address() as AddressInfo).port}` });
  const arm =
    (mode: Trouble["mode"]) =>
    (on: string, after = "") =>
      new Promise<void>((done) => void troubles.add({ on, after, mode, done }));
  return {
    url: url.href,
    loseAnswer: arm("lose-answer"),
    cut: arm("cut"),
    refuse: (text) => void refused.add(text),
    goBlack() {
      black = true;
    },
    heal() {
      black = false;
      // Dropped bytes are lost for good: a connection that lost bytes cannot continue.
      for (const socket of sockets) socket.destroy();
    },
    leadTo(otherUrl) {
      ({ hostname, port } = new URL(otherUrl));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
