import { sleep } from "./sleep";

/** Longest time that a `Retry-After` is heeded. */
const LONGEST_PAUSE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MOST_DOUBLINGS = 5;

/**
 * A `fetch` that sends a request again when the connection is lost, also in the middle of an answer, and for 429 and 5xx: after
 * the time that `Retry-After` asks for, or after 0.1 to 3.2 s. For requests that take effect once, however often they are sent.
 * @param forMs how long; then the last answer is returned, or the last failure thrown. Infinity: without an end
 */
export function sendAgain(send: typeof fetch, forMs: number): typeof fetch {
  return async (address: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const until = performance.now() + forMs;
    for (let failures = 0; ; failures++) {
      const answer = await answered(send, address, init);
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

type Answered = Response | { lost: unknown };

/** The answer with all of its body. */
async function answered(send: typeof fetch, ...[address, init]: Parameters<typeof fetch>): Promise<Answered> {
  try {
    const response = await send(address, init);
    return new Response(await response.text(), { status: response.status, headers: response.headers });
  } catch (lost) {
    if (init?.signal?.aborted) throw init.signal.reason;
    return { lost };
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
