import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Run } from "@/lib/api/contract/run";
import { aRun, aStep } from "../testing/a-run";
import { TooltipProvider } from "../ui/tooltip";
import { OpenActDialog } from "./act-dialogs";

const run = aRun({
  status: "failed",
  failedStep: "charge",
  revision: 7,
  steps: [aStep("create-order", 0, { kind: "transaction" }), aStep("charge", 1, { status: "failed" })],
});

function open(shown: Run = run) {
  const onClose = vi.fn();
  const dialog = (value: Run) => (
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <OpenActDialog run={value} open={{ act: "rerun" }} onClose={onClose} />
      </TooltipProvider>
    </QueryClientProvider>
  );
  const { rerender } = render(dialog(shown));
  return { onClose, update: (value: Run) => rerender(dialog(value)) };
}

/** Of the workflow of the run: nobody has the first any more. */
const VERSIONS = [3, 2, 1].map((version) => ({
  name: "order-fulfilment",
  version,
  versionWorkers: version === 1 ? 0 : 4 - version,
}));

/** Answers each request in turn; the last answer stays. */
function answering(...answers: { status: number; body: unknown }[]) {
  const requests: { key: string | null; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (url: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    if (url.endsWith("/workflows")) return new Response(JSON.stringify({ workflows: VERSIONS, updatedAt: "" }));
    const { status, body: answer } = answers[Math.min(requests.length, answers.length - 1)] ?? {
      status: 500,
      body: {},
    };
    requests.push({ key: headers["idempotency-key"] ?? null, body: JSON.parse(body) });
    return new Response(JSON.stringify(answer), { status });
  });
  return requests;
}

const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { error: { code, message, details: {}, requestId: "request-1" } },
});

const button = () => screen.getByRole<HTMLButtonElement>("button", { name: "Rerun" });
const why = () => screen.getByLabelText(/^Why/);

afterEach(() => vi.unstubAllGlobals());

describe("rerunning", () => {
  it("says what is kept and what runs again, and follows the chosen step", async () => {
    open();
    expect(screen.getByText("result kept")).toBeTruthy();
    expect(screen.getByText("runs again · same key")).toBeTruthy();
    await userEvent.click(screen.getByRole("radio", { name: "create-order" }));
    expect(screen.getByText("commits again")).toBeTruthy();
    expect(screen.getByText(/its rows are written again/)).toBeTruthy();
  });

  it("asks for a reason before it asks the server", async () => {
    const requests = answering({ status: 202, body: run });
    open();
    await userEvent.click(button());
    expect(screen.getByText("Say why, in a few words.")).toBeTruthy();
    expect(requests).toEqual([]);
  });

  it("sends what the person saw: the failed step by default, and the revision", async () => {
    const requests = answering({ status: 202, body: run });
    const { onClose } = open();
    await userEvent.type(why(), "gateway is back");
    await userEvent.click(button());
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(requests).toMatchObject([{ body: { reason: "gateway is back", revision: 7 } }]);
    expect(requests[0]?.body).not.toHaveProperty("fromStep");
  });

  it("offers the versions that live workers have, marks the others, and says in the plan which it will be", async () => {
    const requests = answering({ status: 202, body: run });
    open();
    const versions = await screen.findByLabelText<HTMLSelectElement>("Go on with");
    const offered = [...versions.options].map(({ text, disabled }) => `${text}${disabled ? " (closed)" : ""}`);
    expect(offered).toEqual([
      "as before: version 1, or the newest",
      "version 3, 1 worker",
      "version 2, 2 workers",
      "version 1, no live worker (closed)",
    ]);
    await userEvent.selectOptions(versions, "2");
    expect(screen.getByText(/by version 2/)).toBeTruthy();
    await userEvent.type(why(), "version 2 is fixed");
    await userEvent.click(button());
    await vi.waitFor(() => expect(requests).toMatchObject([{ body: { version: 2, reason: "version 2 is fixed" } }]));
  });

  it("wants a typed word for fresh keys", async () => {
    open();
    await userEvent.click(screen.getByLabelText("Use fresh idempotency keys"));
    expect(button().disabled).toBe(true);
    await userEvent.type(screen.getByLabelText(/^Type/), "fresh keys");
    expect(button().disabled).toBe(false);
  });
});

describe("when it does not go through", () => {
  it("keeps the key while no answer came, so that the act is done once", async () => {
    const requests = answering(refusal(503, "unavailable", "The database does not answer."), {
      status: 202,
      body: run,
    });
    const { onClose } = open();
    await userEvent.type(why(), "x");
    await userEvent.click(button());
    await screen.findByText("The database does not answer.");
    await userEvent.click(button());
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(requests[0]?.key).toBe(requests[1]?.key);
  });

  it("mints a new key after a refusal, and shows the server's sentence with the request", async () => {
    const requests = answering(refusal(409, "changed", "The run has changed since you looked at it."), {
      status: 202,
      body: run,
    });
    open();
    await userEvent.type(why(), "x");
    await userEvent.click(button());
    await screen.findByText("The run has changed since you looked at it.");
    expect(screen.getByText("request-1")).toBeTruthy();
    await userEvent.click(button());
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[0]?.key).not.toBe(requests[1]?.key);
  });

  it("does not change under the person's hand, but says that the run moved on", async () => {
    const requests = answering({ status: 202, body: run });
    const { update } = open();
    update({ ...run, revision: 8 });
    await userEvent.click(screen.getByRole("button", { name: "Show how it stands now" }));
    expect(screen.queryByText(/has changed since this opened/)).toBeNull();
    await userEvent.type(why(), "x");
    await userEvent.click(button());
    await vi.waitFor(() => expect(requests).toMatchObject([{ body: { revision: 8 } }]));
  });
});
