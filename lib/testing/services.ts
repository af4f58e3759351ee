import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, aDesk, CHANNEL, type ServiceKind, TEAMS_PATH, TOKENS } from "../../demo/sandbox/services";

export { CHANNEL, type ServiceKind, TOKENS };

/** `reset`: no answer, nothing taken; `busy`: 429; `lost` and `silent`: taken, and the answer is cut off or never comes. */
type Trouble = "none" | "reset" | "busy" | "lost" | "silent";

/** One of the demo's chat and paging services by itself, on a free port of this machine, with trouble on request. */
export async function aService(kind: ServiceKind) {
  const { alerts, posts, take } = aDesk();
  const refused: string[] = [];
  const bodies: string[] = [];
  let trouble: Trouble = "none";

  function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
    if (trouble === "reset") return void request.socket.destroy();
    if (trouble === "busy") return void response.writeHead(429, { "retry-after": "90" }).end();
    let given: Answer;
    try {
      given = take[kind](request.url ?? "", JSON.parse(text), request.headers.authorization ?? "");
      bodies.push(text);
    } catch (error) {
      refused.push(String(error));
      given = { status: 400, body: { status: "invalid event" } };
    }
    if (trouble === "lost") return void request.socket.destroy();
    if (trouble === "silent") return;
    response.writeHead(given.status, { "content-type": "application/json" }).end(JSON.stringify(given.body));
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: kind === "teams" ? origin + TEAMS_PATH : origin,
    alerts,
    posts,
    refused,
    bodies,
    isSilent: () => trouble === "silent",
    has: (next: Trouble) => {
      trouble = next;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}
