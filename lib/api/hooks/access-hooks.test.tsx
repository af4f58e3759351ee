import { onlineManager, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useSignInToDemo } from "./access-hooks";

/** The pending answers of the server, by path; the test resolves them. */
const owed = new Map<string, (response: Response) => void>();
const asked: string[] = [];

function Screen() {
  useQuery({ queryKey: ["runs"], queryFn: ({ signal }) => fetch("/runs", { signal }).then((answer) => answer.json()) });
  const { mutate, isSuccess, isError } = useSignInToDemo();
  return (
    <button type="button" onClick={() => mutate({ role: "viewer" })}>
      {isSuccess ? "viewer" : isError ? "refused" : "operator"}
    </button>
  );
}

const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const answer = (path: string, status: number, body: unknown) =>
  act(async () => owed.get(path)?.(Response.json(body, { status })));

async function show() {
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return new Promise<Response>((resolve) => owed.set(path, resolve));
  });
  render(
    <QueryClientProvider client={queryClient}>
      <Screen />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(asked).toEqual(["/runs"]));
  await answer("/runs", 200, []);
  await act(() => screen.getByRole("button").click());
  await waitFor(() => expect(asked.at(-1)).toMatch(/demo\/session$/));
}

afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.clear();
  asked.length = 0;
  vi.unstubAllGlobals();
});

it("reads nothing with a session that is about to end, whatever changes meanwhile", async () => {
  await show();
  const before = asked.length;
  await act(async () => void queryClient.invalidateQueries());
  expect(asked.slice(before)).toEqual([]);
});

it("reads on when one stays who one is", async () => {
  await show();
  await act(async () => void queryClient.invalidateQueries());
  await answer(asked.at(-1) as string, 403, { error: { code: "forbidden", message: "Not today." } });
  await screen.findByText("refused");
  await waitFor(() => expect(asked.at(-1)).toBe("/runs"));
});
