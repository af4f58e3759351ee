import { once } from "node:events";
import { connect } from "node:net";

/**
 * Sends these bytes, which no well-behaved client would, and returns the answer until the server closed or fell silent.
 */
export async function rawHttp(url: string, text: string, silentMs = 5_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let heard = "";
  socket.on("data", (chunk) => (heard += chunk.toString("latin1")));
  await once(socket, "connect");
  // A server may refuse by closing the connection, which is no answer; `once` would treat that as a failure.
  socket.on("error", () => undefined);
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.write(text, "latin1");
  socket.setTimeout(silentMs, () => socket.destroy());
  await closed;
  return heard;
}
