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

/** A port without a listener; another process may take it the next moment. */
export async function freePort(): Promise<number> {
  const server = await listen(0, "127.0.0.1");
  const address = server.address();
  await close(server);
  if (address === null || typeof address === "string") throw new Error("The system gave no TCP port.");
  return address.port;
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
