import { HandrailError } from "../../engine/errors";
import { JsonBoundExceeded, type JsonBounds, parseInParts } from "../../engine/values/parse-in-parts";
import { inTurns } from "../../operator/in-turns";
import type { BodyBounds } from "../endpoint";

/** The codec's 100 levels with a tagged value at each of them. */
const MAX_JSON_DEPTH = 200;
/** Characters of one text: the longest stored value, with every character escaped as two. */
const MAX_TEXT_LENGTH = 2_097_152;

interface JsonBody {
  chunks: readonly Uint8Array[];
  value: unknown;
}

/**
 * Parses in chunks: a body of megabytes does not block other requests.
 * @throws HandrailError `unsupported_media_type`, `body_too_large` or `invalid_request`, before parsing where possible
 */
export async function readJsonBody(
  request: Request,
  { maxBodyBytes, maxBodyMarks, maxBodyKeys, maxTextLength }: BodyBounds,
): Promise<JsonBody> {
  const type = request.headers.get("content-type") ?? "";
  // Also blocks another site's form: a browser sends a preflight before it sends this type across sites.
  if (!/^application\/json(;\s*charset="?utf-8"?)?$/i.test(type.trim()))
    throw new HandrailError("unsupported_media_type", "Send JSON, with the header content-type: application/json.");
  const { text, chunks } = await receive(request, maxBodyBytes);
  return {
    chunks,
    value: await parseBody(text, { marks: maxBodyMarks, keys: maxBodyKeys, textLength: maxTextLength }),
  };
}

interface Received {
  text: string;
  chunks: Uint8Array[];
}

/** Decodes chunk by chunk as they arrive. */
async function receive(request: Request, maxBytes: number): Promise<Received> {
  const chunks: Uint8Array[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const chunk of chunksOf(request, maxBytes)) {
    text += decodePart(decoder, chunk);
    chunks.push(chunk);
  }
  return { text: text + decodePart(decoder), chunks };
}

/** The body as it arrives. @throws HandrailError `body_too_large`, without reading further */
export async function* chunksOf(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const reader = request.body?.getReader();
  if (!reader) return;
  let length = 0;
  let read = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length > maxBytes) throw tooLarge(maxBytes);
      yield value;
    }
    read = true;
  } finally {
    if (!read) await reader.cancel();
  }
}

export const tooLarge = (maxBytes: number) =>
  new HandrailError("body_too_large", `The body may have ${maxBytes.toLocaleString("en")} bytes at most.`);

function decodePart(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new HandrailError("invalid_request", "The body is not UTF-8.");
  }
}

type Bounds = Pick<JsonBounds, "marks" | "keys"> & { textLength?: number | undefined };

/** @throws HandrailError `invalid_request` */
export async function parseBody(text: string, { marks, keys, textLength = MAX_TEXT_LENGTH }: Bounds): Promise<unknown> {
  const bounds = { depth: MAX_JSON_DEPTH, marks, keys, textLength };
  try {
    return await inTurns(parseInParts(text, bounds));
  } catch (error) {
    throw new HandrailError("invalid_request", whyRefused(error, bounds));
  }
}

function whyRefused(error: unknown, { marks, keys, textLength }: JsonBounds): string {
  if (!(error instanceof JsonBoundExceeded)) return "The body is not JSON.";
  switch (error.bound) {
    case "depth":
      return `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`;
    case "marks":
      return `The body holds too many values: more than ${marks.toLocaleString("en")} opening brackets, commas and colons. Send fewer, or store them elsewhere and send a reference to them.`;
    case "keys":
      return `The objects in the body have too many different keys: more than ${keys.toLocaleString("en")}. Send what they name as a list of records.`;
    case "textLength":
      return `A text in the body is longer than ${textLength.toLocaleString("en")} characters.`;
  }
}
