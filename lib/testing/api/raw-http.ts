import { once } from "node:events";
import { connect } from "node:net";

/** Sends these bytes, as no client of good manners would, and gives what came back until the server was done or silent. */
export async function rawHttp(url: string, text: string, silentMs = 5_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let heard = "";
  socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
  await once(socket, "connect");
  // A server may refuse by cutting the line, which is no answer; `once` would take that for a failure.
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.write(text, "latin1");
  socket.setTimeout(silentMs, () => socket.destroy());
  await closed;
  return heard;
}
