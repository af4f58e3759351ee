import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/** Whether a server may listen there now. */
export async function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = await listen(port, host).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE" || error.code === "EACCES") return undefined;
    throw error;
  });
  if (server) await close(server);
  return server !== undefined;
}

/**
 * Below the ports that Linux (from 32,768), macOS and Windows (from 49,152) lend to outgoing connections: a server that
 * is started again finds its port free, which a connection could hold for as long as it lives.
 */
const [LOWEST, HIGHEST] = [20_000, 32_767];

/** A port without a listener; another process may take it the next moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (await isFree(port)) return port;
  }
}

function listen(port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
