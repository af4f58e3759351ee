import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { StoredValue } from "./stored-value";

const RUN = "01890000-0000-7000-8000-000000000000";
const answers: Response[] = [];
const asked: string[] = [];
vi.stubGlobal("fetch", async (request: Request | URL | string) => {
  asked.push(String(request instanceof Request ? request.url : request));
  return answers.shift() ?? new Response("{}", { status: 500 });
});
afterEach(() => asked.splice(0));

const shown = (value: Parameters<typeof StoredValue>[0]["value"]) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <StoredValue
        value={value}
        what="the output of report"
        runId={RUN}
        of={{ part: "step", step: "report", generation: 2 }}
      />
    </QueryClientProvider>,
  );

it("says how large a value in the blob store is, and loads it on request alone", async () => {
  shown({ $type: "blob", size: 3_400_000 });
  expect(await screen.findByText(/3\.4 MB, in the blob store/)).toBeDefined();
  expect(asked).toEqual([]);
  answers.push(
    Response.json({
      runId: RUN,
      workflow: "w",
      part: "step",
      step: "report",
      generation: 2,
      size: 3_400_000,
      value: { pages: 12 },
    }),
  );
  await userEvent.click(await screen.findByRole("button", { name: "Load the output of report" }));
  expect(await screen.findByText("pages:")).toBeDefined();
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/\/value\?part=step&step=report&generation=2$/);
});

it("says why a value cannot be loaded", async () => {
  shown({ $type: "blob", size: 3_400_000 });
  const message = "The output of step “report” could not be read from the blob store: 503 SlowDown";
  answers.push(Response.json({ error: { code: "blob_unavailable", message, requestId: "r" } }, { status: 503 }));
  await userEvent.click(await screen.findByRole("button", { name: "Load the output of report" }));
  expect(await screen.findByText(message, { exact: false })).toBeDefined();
});

it("shows every other value at once", () => {
  shown({ pages: 12 });
  expect(screen.getByText("pages:")).toBeDefined();
});
