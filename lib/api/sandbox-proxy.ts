import type { z } from "zod";
import { HandrailError } from "../engine/errors";
import type { Env } from "../env";
import type { Reply } from "./endpoint";

const READABLE = [
  "payments/ledger",
  "payments/faults",
  "mail",
  "mail/faults",
  "blobs",
  "blobs/faults",
  "users/faults",
  "webhooks",
  "webhooks/faults",
  "on-call",
  "faults",
];
/** The webhook receiver gets its secret, and never returns it. */
const RECEIVER_SECRET = "webhooks/secret";
const isWritable = (path: string) => path === RECEIVER_SECRET || path.endsWith("/faults");
const TIMEOUT_MS = 5_000;

/**
 * Proxies a request of the demo's pages to the sandbox, for the few paths they need.
 * @throws HandrailError `not_found` outside the demo and for any other path, `sandbox_unreachable` when it does not
 * answer
 */
export async function askSandbox(
  env: Env,
  path: string,
  change?: { body: unknown },
): Promise<Reply<z.core.util.JSONType>> {
  const isThere = change ? isWritable(path) && [...READABLE, RECEIVER_SECRET].includes(path) : READABLE.includes(path);
  if (!env.demo || !isThere)
    throw new HandrailError("not_found", "There is nothing here. The sandbox exists in the demo only.");
  const answer = await fetch(`${env.sandboxUrl}/${path}`, {
    method: change ? "PUT" : "GET",
    ...(change && { body: JSON.stringify(change.body), headers: { "content-type": "application/json" } }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  const body = await answer?.json().catch(() => undefined);
  if (!answer || body === undefined)
    throw new HandrailError("sandbox_unreachable", `The sandbox at ${env.sandboxUrl} does not answer. Is it running?`);
  if (!answer.ok) throw new HandrailError("invalid_request", body.error?.message ?? "The sandbox refused.");
  return { status: 200, body };
}
