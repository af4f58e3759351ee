import { afterEach, expect, it, vi } from "vitest";
import { sendAgain } from "./send-again";

const ADDRESS = "http://127.0.0.1/api";

/** Answers in order; what is an Error, is thrown. */
function scripted(...answers: (Response | Error)[]) {
  let asked = 0;
  const send = async () => {
    const answer = answers[asked++];
    if (!(answer instanceof Response)) throw answer ?? new Error("There is no more.");
    return answer;
  };
  return { send: send as typeof fetch, asked: () => asked };
}

/** Never answers, as a server behind a proxy that lost it. */
const hangs: typeof fetch = (_, init) =>
  new Promise((_, fail) => init?.signal?.addEventListener("abort", () => fail(init.signal?.reason)));

afterEach(() => void vi.useRealTimers());

/** What has been settled meanwhile. */
async function settledWithin<Value>(ms: number, promise: Promise<Value>): Promise<"open" | "fulfilled" | "rejected"> {
  let state: "open" | "fulfilled" | "rejected" = "open";
  promise.then(
    () => (state = "fulfilled"),
    () => (state = "rejected"),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return state;
}

/** A body that breaks off. */
const half = () =>
  new Response(
    new ReadableStream({
      start(stream) {
        stream.enqueue(new TextEncoder().encode('{"a":'));
        stream.error(new TypeError("terminated"));
      },
    }),
  );

it("sends again when there is no answer, half of one, or a failure of the server", async () => {
  const { send, asked } = scripted(
    new TypeError("refused"),
    half(),
    new Response("", { status: 502 }),
    new Response("good"),
  );
  const answer = await sendAgain(send, 60_000)(ADDRESS, { method: "POST" });
  expect([await answer.text(), asked()]).toEqual(["good", 4]);
});

it.each([429, 503])("waits as long as Retry-After says for %i", async (status) => {
  const busy = new Response("", { status, headers: { "retry-after": "1" } });
  const begun = performance.now();
  await sendAgain(scripted(busy, new Response("good")).send, 60_000)(ADDRESS);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(999);
});

it.each([400, 401, 404, 409, 422])("leaves %i to its caller", async (status) => {
  const { send, asked } = scripted(new Response("no", { status }));
  expect([(await sendAgain(send, 60_000)(ADDRESS)).status, asked()]).toEqual([status, 1]);
});

it("gives up once its time is over: with the last answer, or the last failure", async () => {
  expect((await sendAgain(scripted(new Response("", { status: 503 })).send, 0)(ADDRESS)).status).toBe(503);
  await expect(sendAgain(scripted(new TypeError("refused")).send, 0)(ADDRESS)).rejects.toThrow("refused");
});

it("is ended by the request's signal, also between two tries", async () => {
  const gone = new AbortController();
  const answer = sendAgain(scripted(new TypeError("refused")).send, 60_000)(ADDRESS, { signal: gone.signal });
  gone.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
});

it("leaves a start that its workflow's throttle refuses to its caller", async () => {
  const body = JSON.stringify({ error: { code: "throttled", details: { retryAfterMs: 1 } } });
  const { send, asked } = scripted(new Response(body, { status: 429, headers: { "retry-after": "1" } }));
  const answer = await sendAgain(send, 60_000)(ADDRESS);
  expect([await answer.json(), asked()]).toEqual([JSON.parse(body), 1]);
});

it("waits for an answer that hangs until its time is over, and five seconds at least", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const short = sendAgain(hangs, 200)(ADDRESS);
  const patient = sendAgain(hangs, 20_000)(ADDRESS);
  expect(await settledWithin(4_900, short)).toBe("open");
  expect(await settledWithin(200, short)).toBe("rejected");
  expect(await settledWithin(14_800, patient)).toBe("open");
  expect(await settledWithin(200, patient)).toBe("rejected");
});

it("gives a read that the server may hold back its time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const held = sendAgain(hangs, 200)(`${ADDRESS}/v1/runs/r/result?waitMs=60000`);
  expect(await settledWithin(64_900, held)).toBe("open");
  expect(await settledWithin(200, held)).toBe("rejected");
});

it("sends again what hangs, also in the middle of an answer", async () => {
  const halfAnswered: typeof fetch = async (_, init) =>
    new Response(
      new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode('{"a":'));
          init?.signal?.addEventListener("abort", () => stream.error(init.signal?.reason));
        },
      }),
    );
  const answers = [hangs, halfAnswered, async () => new Response("good")];
  const send: typeof fetch = (...request) => (answers.shift() as typeof fetch)(...request);
  const answer = await sendAgain(send, 60_000, 50)(ADDRESS);
  expect([await answer.text(), answers.length]).toEqual(["good", 0]);
});

it("is ended by the request's signal while an answer hangs", async () => {
  const gone = new AbortController();
  const answer = sendAgain(hangs, 60_000)(ADDRESS, { signal: gone.signal });
  gone.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
});
