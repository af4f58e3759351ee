import { writeInParts } from "../../engine/values/write-in-parts";
import { inTurns, pause } from "../../operator/in-turns";

const HEADERS = { "content-type": "application/json" };

/** Like `Response.json`, but a long answer is written and sent in pieces, so that it does not block other requests. */
export async function jsonAnswer(
  body: unknown,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const pieces = await inTurns(writeInParts(body));
  return new Response(pieces.length > 1 ? streamOf(pieces) : pieces[0], {
    status,
    headers: { ...HEADERS, ...headers },
  });
}

function streamOf(pieces: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const left = pieces.values();
  return new ReadableStream({
    async pull(controller) {
      await pause();
      const { value, done } = left.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}
