import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { ApiError, type Sent } from "@/lib/api/client/client";
import { useAct } from "./use-act";

const lost = () => new ApiError("unreachable", "No answer.", 0);
const refused = (code: ApiError["code"] = "not_allowed", status = 409) => new ApiError(code, "No.", status);

/** Tries one after the other, each answered so; the keys that they were sent with, and the error that is shown. */
async function tries(...answers: ApiError[]) {
  const keys: string[] = [];
  const left = [...answers];
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () =>
      useAct(
        useMutation<unknown, ApiError, Sent<unknown>>({
          mutationFn: async ({ idempotencyKey }) => {
            keys.push(idempotencyKey);
            throw left.shift();
          },
        }),
        () => undefined,
      ),
    { wrapper },
  );
  for (let n = 1; n <= answers.length; n++) {
    act(() => result.current.submit({ request: n }));
    await waitFor(() => expect([keys.length, result.current.pending]).toEqual([n, false]));
    await act(async () => undefined);
  }
  return { keys: keys.map((key) => keys.indexOf(key)), error: result.current.error };
}

describe("the key of an action", () => {
  it("is another one after a refusal: the next try is another action", async () => {
    expect((await tries(refused(), refused())).keys).toEqual([0, 1]);
  });

  it("stays after a try without an answer, also when a later one is refused: that try may have been received", async () => {
    for (const refusal of [refused("unauthenticated", 401), refused("too_busy", 429), refused()])
      expect((await tries(lost(), refusal, lost())).keys).toEqual([0, 0, 0]);
    expect((await tries(refused("internal", 502), refused(), refused())).keys).toEqual([0, 0, 0]);
  });

  it("that was received with another request says so, instead of asking for a new key", async () => {
    const { keys, error } = await tries(lost(), refused("idempotency_conflict"), refused("idempotency_conflict"));
    expect(keys).toEqual([0, 0, 0]);
    expect(error?.message).toMatch(/^An earlier try of this had no answer, and was received\. Close this window/);
  });
});
