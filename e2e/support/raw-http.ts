import { once } from "node:events";
import { connect } from "node:net";

/** Sends these bytes, as no client of good manners would, and gives what came back until the server was done or silent. */
export async function rawHttp(url: string, text: string, silentMs = 5_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let heard = "";
  socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text, "latin1");
  socket.setTimeout(silentMs, () => socket.destroy());
  await once(socket, "close");
  return heard;
}
