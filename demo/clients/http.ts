import { OutcomeUnknownError } from "../../lib/engine/steps/outcome-unknown-error";
import { NonRetryableError, RetryAfterError } from "../../lib/engine/steps/retry-policy";

/** The receiver said that it cannot, and that nothing was done. */
export class ServiceUnavailable extends Error {
  override name = "ServiceUnavailable";
}

// Nothing was sent when the connection could not even be made.
const NOT_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * A request whose failure says what a workflow has to know: certainly nothing happened (`ServiceUnavailable`,
 * `NonRetryableError`), or nobody knows (`OutcomeUnknownError`). Gives answers of 2xx and of `expected`.
 */
export async function request(
  service: string,
  url: string,
  init: RequestInit,
  expected: readonly number[] = [],
): Promise<Response> {
  const response = await send(service, url, init);
  if (response.ok || expected.includes(response.status)) return response;
  const said = await refusalText(response);
  const message = `The ${service} answered ${response.status}${said ? `: ${said}` : ""}`;
  if (response.status === 429) throw new RetryAfterError(message, retryAfterMs(response));
  if (response.status >= 500) throw new ServiceUnavailable(message);
  throw new NonRetryableError(message);
}

async function send(service: string, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code ?? "";
    if (NOT_SENT.has(code))
      throw new ServiceUnavailable(`The ${service} could not be reached (${code})`, { cause: error });
    const isRead = init.method === undefined || init.method === "GET";
    if (isRead) throw new ServiceUnavailable(`The ${service} did not answer`, { cause: error });
    throw new OutcomeUnknownError(`The ${service} took the request, and its answer was lost`, { cause: error });
  }
}

async function refusalText(response: Response): Promise<string | undefined> {
  const body = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
  return body?.error?.message;
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000;
}
