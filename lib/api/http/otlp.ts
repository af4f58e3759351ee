import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { create, toBinary, toJson } from "@bufbuild/protobuf";
import { HandrailError } from "../../engine/errors";
import { inTurns } from "../../operator/in-turns";
import { type Decoded, decodeJson, decodeProtobuf } from "../../operator/spans/decode-spans";
import { ExportTraceServiceResponseSchema, RefusalSchema } from "../../operator/spans/otlp_pb";
import type { Received } from "../../operator/spans/receive-spans";
import { chunksOf, parseBody, tooLarge } from "./request-body";

/*
 * OTLP over HTTP, as its specification has it: a request is protobuf or JSON, packed with gzip or not, and its answer, also a
 * refusal, is of the same type.
 */

export const OTLP_TYPES = ["application/x-protobuf", "application/json"] as const;
/** As it arrives, packed or not, and unpacked. */
export const MAX_OTLP_BYTES = 8_388_608;
const MAX_UNPACKED_BYTES = 16_777_216;
const JSON_BOUNDS = { marks: 2_000_000, keys: 20_000 };
/** What a sender waits before it tries again, where the refusal does not say it. */
const RETRY_AFTER_S = "5";

const typeOf = ({ headers }: Request) => (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
const isJson = (request: Request) => typeOf(request) === "application/json";

export interface OtlpBody {
  bytes: Uint8Array;
  isPacked: boolean;
  isJson: boolean;
}

/** @throws HandrailError `unsupported_media_type`, `body_too_large` */
export async function readOtlpBody(request: Request): Promise<OtlpBody> {
  const type = typeOf(request);
  if (!OTLP_TYPES.some((known) => known === type))
    throw new HandrailError("unsupported_media_type", `Send OTLP as ${OTLP_TYPES.join(" or ")}.`);
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (!["", "identity", "gzip"].includes(encoding))
    throw new HandrailError("unsupported_media_type", "Send OTLP packed with gzip, or not packed.");
  const chunks: Uint8Array[] = [];
  for await (const chunk of chunksOf(request, MAX_OTLP_BYTES)) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), isPacked: encoding === "gzip", isJson: isJson(request) };
}

/** @throws HandrailError `invalid_request`, `body_too_large` */
export async function decodeOtlp({ bytes, isPacked, isJson }: OtlpBody): Promise<Decoded> {
  const unpacked = isPacked ? await unpack(bytes) : bytes;
  if (!isJson) return inTurns(decodeProtobuf(unpacked));
  return inTurns(decodeJson(await parseBody(textOf(unpacked), JSON_BOUNDS)));
}

/** Stops at the bound: a few kilobytes can unpack to gigabytes. */
async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(MAX_UNPACKED_BYTES);
    throw new HandrailError("invalid_request", "The body is not packed with gzip.", {}, { cause: error });
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HandrailError("invalid_request", "The body is not UTF-8.");
  }
}

export function otlpAnswer(request: Request, { rejected, because }: Received): Response {
  const message = create(ExportTraceServiceResponseSchema, {
    ...(rejected > 0 && { partialSuccess: { rejectedSpans: BigInt(rejected), errorMessage: because } }),
  });
  return isJson(request)
    ? Response.json(toJson(ExportTraceServiceResponseSchema, message))
    : inProtobuf(toBinary(ExportTraceServiceResponseSchema, message), { status: 200 });
}

/** A refusal as a google.rpc.Status. */
export function otlpRefusal({ message }: HandrailError, init: ResponseInit & { status: number }, request: Request) {
  const headers = new Headers(init.headers);
  if ((init.status === 429 || init.status === 503) && !headers.has("retry-after"))
    headers.set("retry-after", RETRY_AFTER_S);
  if (isJson(request)) return Response.json({ message }, { status: init.status, headers });
  return inProtobuf(toBinary(RefusalSchema, create(RefusalSchema, { message })), { status: init.status, headers });
}

function inProtobuf(bytes: Uint8Array, init: ResponseInit): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "application/x-protobuf");
  return new Response(Buffer.from(bytes), { ...init, headers });
}
