import { sleep } from "./sleep";

/** Longest time that a `Retry-After` is heeded. */
const LONGEST_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MOST_DOUBLINGS = 5;

/** Of one try: more than the 60 seconds that the server may hold a request back. */
const LONGEST_TRY_MS = 90_000;
/** What any request is given for its answer, beside the time that the server may hold it back. */
const ANSWER_MS = 5_000;

/**
 * A `fetch` that sends a request again when the connection is lost or hangs, also in the middle of an answer, and for 429 and 5xx:
 * after the time that `Retry-After` asks for, or after 0.1 to 3.2 s. For requests that take effect once, however often they are sent.
 * @param forMs how long; then the last answer is returned, or the last failure thrown. Infinity: without an end
 * @param longestTryMs after as long, a try that has not been answered counts as lost
 */
export function sendAgain(send: typeof fetch, forMs: number, longestTryMs = LONGEST_TRY_MS): typeof fetch {
  return async (address: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const until = performance.now() + forMs;
    const shortestTryMs = heldMs(address) + ANSWER_MS;
    for (let failures = 0; ; failures++) {
      const leftMs = Math.max(until - performance.now(), shortestTryMs);
      const answer = await answered(send, address, init, Math.min(leftMs, longestTryMs));
      if (answer instanceof Response && (!isFailure(answer) || (await isThrottled(answer)))) return answer;
      const pause = pauseAfter(answer) ?? FIRST_PAUSE_MS * 2 ** Math.min(failures, MOST_DOUBLINGS);
      if (performance.now() + pause > until) {
        if (answer instanceof Response) return answer;
        throw answer.lost;
      }
      await sleep(pause, init?.signal ?? undefined);
    }
  };
}

/** How long the server may hold a read back: what its query asks for. */
const heldMs = (address: Parameters<typeof fetch>[0]): number =>
  Number(/[?&]waitMs=(\d+)/.exec(String(address))?.[1] ?? 0);

type Answered = Response | { lost: unknown };

/**
 * The answer with all of its body. The timer is a plain one: a signal of `AbortSignal.timeout` within `AbortSignal.any` may be
 * garbage-collected.
 */
async function answered(
  send: typeof fetch,
  address: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
  withinMs: number,
): Promise<Answered> {
  const given = init?.signal;
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, withinMs);
  given?.addEventListener("abort", end);
  if (given?.aborted) end();
  try {
    const response = await send(address, { ...init, signal: ending.signal });
    return new Response(await response.text(), { status: response.status, headers: response.headers });
  } catch (lost) {
    if (given?.aborted) throw given.reason;
    return { lost };
  } finally {
    clearTimeout(timer);
    given?.removeEventListener("abort", end);
  }
}

const isFailure = ({ status }: Response): boolean => status === 429 || status >= 500;

/** A refusal of the start itself, not of the request: the caller decides when to start again. */
async function isThrottled(answer: Response): Promise<boolean> {
  if (answer.status !== 429) return false;
  const body = (await answer
    .clone()
    .json()
    .catch(() => null)) as { error?: { code?: unknown } } | null;
  return body?.error?.code === "throttled";
}

/** Whole seconds, as Handrail says it. */
function pauseAfter(answer: Answered): number | undefined {
  const text = answer instanceof Response ? answer.headers.get("retry-after") : null;
  return text !== null && /^\d+$/.test(text) ? Math.min(Number(text) * 1_000, LONGEST_PAUSE_MS) : undefined;
}
