import { HandrailError } from "../engine/errors";

/** The codec's 100 levels with a tagged value at each of them. */
const MAX_JSON_DEPTH = 200;

interface JsonBody {
  text: string;
  value: unknown;
}

/** @throws HandrailError `unsupported_media_type`, `body_too_large` or `invalid_request`, before anything is parsed where that is enough */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonBody> {
  const type = request.headers.get("content-type") ?? "";
  // Also what keeps another site's form from sending: a browser asks first before it sends this type across sites.
  if (!/^application\/json(;\s*charset="?utf-8"?)?$/i.test(type.trim()))
    throw new HandrailError("unsupported_media_type", "Send JSON, with the header content-type: application/json.");
  const text = decode(await readBytes(request, maxBytes));
  const value = parse(text);
  if (isDeeperThan(value, MAX_JSON_DEPTH))
    throw new HandrailError("invalid_request", `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  return { text, value };
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new HandrailError("body_too_large", `The body may have ${maxBytes.toLocaleString("en")} bytes at most.`);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const reader = request.body?.getReader();
  if (!reader) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HandrailError("invalid_request", "The body is not UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HandrailError("invalid_request", "The body is not JSON.");
  }
}

/** Recursion no deeper than `max`, and no list of all that is in a body of many small values. */
function isDeeperThan(value: unknown, max: number): boolean {
  if (max < 0) return true;
  if (typeof value !== "object" || value === null) return false;
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isDeeperThan(item, max - 1)) return true;
  return false;
}
