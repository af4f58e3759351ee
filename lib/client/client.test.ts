import { afterEach, expect, it, vi } from "vitest";
import { createClient, type WaitOptions } from "./client";

/** Never answers. */
const hangs: typeof fetch = (_, init) =>
  new Promise((_, fail) => init?.signal?.addEventListener("abort", () => fail(init.signal?.reason)));

afterEach(() => void vi.useRealTimers());

it.each([
  [
    "result",
    (options: WaitOptions) => createClient({ url: "http://127.0.0.1:1", fetch: hangs }).run("r").result(options),
  ],
  [
    "published",
    (options: WaitOptions) =>
      createClient({ url: "http://127.0.0.1:1", fetch: hangs }).run("r").published("quote", options),
  ],
])("%s of a server that hangs fails soon after its timeoutMs", async (_, ask) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const failed = expect(ask({ timeoutMs: 1_000 })).rejects.toMatchObject({ code: "unreachable" });
  await vi.advanceTimersByTimeAsync(7_000);
  await failed;
});

it("a start on a server that hangs fails once the patience is over", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const client = createClient({ url: "http://127.0.0.1:1", fetch: hangs });
  const failed = expect(client.start("pay", {})).rejects.toMatchObject({ code: "unreachable" });
  await vi.advanceTimersByTimeAsync(31_000);
  await failed;
});
