import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { aRun } from "@/components/testing/a-run";
import { keyOf } from "@/lib/api/hooks/query";
import { ACTIONS } from "@/lib/engine/access/permission";
import { StartAgainDialog } from "./start-again-dialog";

const inputSchema = {
  type: "object",
  properties: { orderId: { type: "string" }, amountCents: { type: "integer" }, email: { type: "string" } },
  required: ["orderId", "amountCents", "email"],
};
const run = aRun({
  status: "failed",
  input: { orderId: "A-17", amountCents: 4_900, email: { $type: "masked" } },
} as Parameters<typeof aRun>[0]);
const versions = [1, 2].map((version) => ({ name: run.workflow, title: run.title, version, inputSchema }));

afterEach(() => vi.unstubAllGlobals());

// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("next/navigation");
  vi.resetModules();
});
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));

/** What plans were asked for. */
function open(workflows: unknown[] = versions) {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, { body }: { body?: string }) => {
    if (url.endsWith("/workflows")) return new Response(JSON.stringify({ workflows, updatedAt: "" }));
    asked.push(JSON.parse(body ?? "").params);
    return new Promise(() => undefined);
  });
  const queryClient = new QueryClient();
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions: ACTIONS, workflows: null });
  render(
    <QueryClientProvider client={queryClient}>
      <StartAgainDialog
        frozen={{ run, what: "The run", changed: false, showFresh: () => undefined }}
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
  return asked;
}

const PATIENCE = { timeout: 10_000 };
const field = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name }, PATIENCE);
const write = async (name: string, value: string) => fireEvent.change(await field(name), { target: { value } });

it("begins with the run's own input in the form of its workflow, which goes along as it is kept while nobody edits it", async () => {
  const asked = open();
  expect((await field("orderId")).value).toBe("A-17");
  expect((await field("email")).placeholder).toBe("Not shown: enter a value");
  await waitFor(() => expect(asked).toEqual([{}]));
});

it("plans what was edited once it fits, and says until then what does not", async () => {
  const asked = open();
  await write("orderId", "B-1");
  const wrong = await screen.findByRole("list", { name: "Invalid values" }, PATIENCE);
  expect(wrong.textContent).toBe("email: Not shown to you: enter a value");
  expect(screen.getByRole("button", { name: "Start the new run" })).toHaveProperty("disabled", true);
  await write("email", "b@shop.example");
  const input = { orderId: "B-1", amountCents: 4_900, email: "b@shop.example" };
  await waitFor(() => expect(asked.at(-1)).toEqual({ input }), PATIENCE);
  fireEvent.click(screen.getByRole("radio", { name: "JSON" }));
  expect(JSON.parse((await field("Input (JSON)")).value)).toEqual(input);
});

it("is JSON where the workflow is unknown, and invalid JSON is not sent", async () => {
  const asked = open([]);
  await write("Input (JSON)", "{ not json");
  expect(screen.getByText(/Invalid JSON/)).toBeDefined();
  await write("Input (JSON)", '{"orderId":"C-1"}');
  await waitFor(() => expect(asked.at(-1)).toEqual({ input: { orderId: "C-1" } }), PATIENCE);
  expect(screen.queryByRole("radio")).toBeNull();
});
