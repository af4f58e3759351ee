import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { aRun, aStep } from "@/components/testing/a-run";
import type { Run } from "@/lib/api/contract/run";
import { keyOf } from "@/lib/api/hooks/query";
import { ACTIONS } from "@/lib/engine/access/permission";
import { OpenActDialog } from "./act-dialogs";

const run = aRun({
  status: "failed",
  failedStep: "charge",
  revision: 7,
  steps: [aStep("create-order", 0, { kind: "transaction" }), aStep("charge", 1, { status: "failed" })],
});

function open(shown: Run = run) {
  const onClose = vi.fn();
  const queryClient = new QueryClient();
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions: ACTIONS, workflows: null });
  const dialog = (value: Run) => (
    <QueryClientProvider client={queryClient}>
      <OpenActDialog run={value} open={{ act: "rerun" }} onClose={onClose} />
    </QueryClientProvider>
  );
  const { rerender } = render(dialog(shown));
  return { onClose, update: (value: Run) => rerender(dialog(value)) };
}

/** Versions of the run's workflow: no worker has version 1 any more. */
const VERSIONS = [3, 2, 1].map((version) => ({
  name: "order-fulfilment",
  version,
  onFields: [],
  versionWorkers: version === 1 ? 0 : 4 - version,
}));

const HASH = "a".repeat(64);
let plans = 0;
const nothing = { count: 0, first: [] };

/** A plan of one, as the server makes it of what it was asked. */
function planOf({ params }: { params: Record<string, unknown> }) {
  const again = { count: 1, first: [params.fromStep ?? "charge"] };
  const [keeps, stay, repeats, owed, questions] = [nothing, nothing, nothing, nothing, nothing];
  const uncompensated = params.freshKeys === true ? { count: 1, first: ["charge"] } : nothing;
  plans += 1;
  const item = {
    runId: run.id,
    included: true,
    because: null,
    keeps,
    again,
    stay,
    repeats,
    owed,
    uncompensated,
    questions,
    secondPerson: null,
  };
  return {
    id: `plan ${JSON.stringify(params)} ${plans}`,
    hash: HASH,
    params,
    items: [{ ...item, revision: 7 }],
  };
}

const done = { status: 200, body: { item: { outcome: "done", because: null } } };

/** Answers each execution in turn; the last answer repeats. */
function answering(...answers: { status: number; body: unknown }[]) {
  const requests: { key: string | null; plan: string; body: unknown }[] = [];
  const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  vi.stubGlobal("fetch", async (url: string, { headers, body }: { headers: Record<string, string>; body?: string }) => {
    if (url.endsWith("/workflows")) return answer(200, { workflows: VERSIONS, updatedAt: "" });
    if (url.endsWith("/plans")) return answer(201, planOf(JSON.parse(body ?? "")));
    if (!url.endsWith("/executions")) return answer(200, run);
    const given = answers[Math.min(requests.length, answers.length - 1)] ?? { status: 500, body: {} };
    const plan = decodeURIComponent(url.split("/").at(-2) ?? "");
    requests.push({ key: headers["idempotency-key"] ?? null, plan, body: JSON.parse(body ?? "") });
    return answer(given.status, given.body);
  });
  return requests;
}

const refusal = (status: number, code: string, message: string) => ({
  status,
  body: { error: { code, message, details: {}, requestId: "request-1" } },
});

const button = (name = "Rerun") => screen.getByRole<HTMLButtonElement>("button", { name });
/** Pressed once the plan is there. */
async function press(name?: string) {
  await vi.waitFor(() => expect(button(name).disabled).toBe(false));
  await userEvent.click(button(name));
}
const why = () => screen.getByLabelText(/^Reason/);

afterEach(() => vi.unstubAllGlobals());

describe("rerunning", () => {
  it("says what is kept and what runs again, and follows the chosen step", async () => {
    answering(done);
    open();
    expect(await screen.findByText("result kept")).toBeTruthy();
    expect(screen.getByText("runs again · same key")).toBeTruthy();
    await userEvent.click(screen.getByRole("radio", { name: "create-order" }));
    expect(screen.getByText("commits again")).toBeTruthy();
    expect(screen.getByText(/its rows are written again/)).toBeTruthy();
  });

  it("of what a cancel cut off says that the same key is used, and carries out just that", async () => {
    const requests = answering(done);
    const steps = [aStep("create-order", 0), aStep("charge", 1, { status: "unknown" }), aStep("pack", 2)];
    open(aRun({ status: "cancelled", attention: "outcome_unknown", revision: 7, steps }));
    expect(screen.getByText("Called again with the same key")).toBeTruthy();
    expect(screen.getByText("runs again · same key")).toBeTruthy();
    await userEvent.type(why(), "cancelled by mistake");
    await press("Rerun with the same key");
    await vi.waitFor(() => expect(requests).toMatchObject([{ plan: expect.stringMatching(/^plan \{\} /) }]));
  });

  it("asks for a reason before it asks the server", async () => {
    const requests = answering(done);
    open();
    await press();
    expect(screen.getByText("Enter a reason.")).toBeTruthy();
    expect(requests).toEqual([]);
  });

  it("carries out the plan that the person saw: of the failed step by default", async () => {
    const requests = answering(done);
    const { onClose } = open();
    await userEvent.type(why(), "gateway is back");
    await press();
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(requests).toMatchObject([
      { plan: expect.stringMatching(/^plan \{\} /), body: { hash: HASH, reason: "gateway is back" } },
    ]);
  });

  it("offers the versions that live workers have, marks the others, and says in the plan which it will be", async () => {
    const requests = answering(done);
    open();
    const versions = await screen.findByLabelText<HTMLSelectElement>("Version");
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
    await press();
    await vi.waitFor(() =>
      expect(requests).toMatchObject([
        { plan: expect.stringContaining('{"version":2}'), body: { reason: "version 2 is fixed" } },
      ]),
    );
  });

  it("wants a typed word for fresh keys", async () => {
    answering(done);
    open();
    expect(screen.queryByText("Not compensated")).toBeNull();
    await userEvent.click(screen.getByLabelText("Use fresh idempotency keys"));
    expect(button().disabled).toBe(true);
    expect((await screen.findByText("Not compensated")).parentElement?.textContent).toBe(
      "Not compensatedcharge: what happened so far stays",
    );
    await userEvent.type(screen.getByLabelText(/^Type/), "fresh keys");
    await vi.waitFor(() => expect(button().disabled).toBe(false));
  });
});

describe("when it does not go through", () => {
  it("keeps the key while no answer came, so that the act is done once", async () => {
    const requests = answering(refusal(503, "unavailable", "The database does not answer."), done);
    const { onClose } = open();
    await userEvent.type(why(), "x");
    await press();
    await screen.findByText("The database does not answer.");
    await press();
    await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(requests[0]?.key).toBe(requests[1]?.key);
    expect(requests[0]?.plan).toBe(requests[1]?.plan);
  });

  it("mints a new key and makes a new plan after a refusal, and shows the server's sentence with the request", async () => {
    const requests = answering(refusal(409, "changed", "The run has changed since you looked at it."), done);
    open();
    await userEvent.type(why(), "x");
    await press();
    await screen.findByText("The run has changed since you looked at it.");
    expect(screen.getByText("request-1")).toBeTruthy();
    await press();
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[0]?.key).not.toBe(requests[1]?.key);
    expect(requests[0]?.plan).not.toBe(requests[1]?.plan);
  });

  it("does not change under the person's hand, but says that the run moved on", async () => {
    const requests = answering(done);
    const { update } = open();
    update({ ...run, revision: 8 });
    await userEvent.click(screen.getByRole("button", { name: "Show current state" }));
    expect(screen.queryByText(/has changed since this opened/)).toBeNull();
    await userEvent.type(why(), "x");
    await press();
    await vi.waitFor(() => expect(requests).toHaveLength(1));
  });
});
