import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { anAttempt, aRun, aStep, at } from "@/components/testing/a-run";
import type { LogLine } from "@/lib/api/contract/log";
import type { Span } from "@/lib/api/contract/spans";
import { attemptHref } from "../address/attempt-href";
import { lanesOf } from "../lanes/lanes";
import { TimelinePanel } from "../timeline/timeline-panel";
import { type Known, layersOf, stepsOfSpans } from "./layers-of";

const run = aRun({
  finishedAt: at(20),
  steps: [
    aStep("charge", 1, {
      startedAt: at(5),
      finishedAt: at(6),
      attempts: [anAttempt(1, "failed", 1, 2), anAttempt(2, "completed", 5, 6)],
    }),
    aStep("send-mail-3", 8),
    aStep("nap", 10, { kind: "sleep", attempts: [], startedAt: at(10), finishedAt: at(20) }),
  ],
});
const [lane] = lanesOf(run, Date.parse(at(20)));
const NOTHING: Known = { runId: run.id, usual: null, good: null, logs: null, spans: null };
const seconds = (ms: number) => (ms - Date.parse(at(0))) / 1_000;

const line = (id: number, second: number, step: string | null, message = "hello") =>
  ({
    ...{ id: String(id), at: at(second), during: step === null ? "code" : "body", step, attempt: 1 },
    ...{ message, data: null },
  }) as LogLine;
const span = (
  spanId: string,
  parentSpanId: string | null,
  second: number,
  attributes: Span["attributes"] = {},
): Span => ({
  ...{ traceId: "0a", spanId, parentSpanId, name: spanId, kind: "client", service: "shop", status: "unset" },
  ...{ startedAt: at(second), durationMs: 500, statusMessage: null, attributes, events: [], leftOut: 0 },
});

function marksOf(known: Partial<Known>, name: string) {
  const layers = layersOf({ ...NOTHING, ...known });
  const row = lane?.rows.find(({ step }) => step.name === name);
  return (row ? layers.ofRow(row) : []).map(({ layer, from, to, text, href }) => ({
    ...{ layer, from: seconds(from), to: seconds(to), text, href },
  }));
}

describe("what lies beside the bars", () => {
  const usual = [
    { step: "charge", version: 1, executions: 40, p50Ms: 500, p95Ms: 2_000 },
    { step: "send-mail-<n>", version: null, executions: 1_200, p50Ms: 10, p95Ms: 20 },
    { step: "nap", version: 1, executions: 40, p50Ms: 500, p95Ms: 2_000 },
  ];

  it("is what is normal, from where the last attempt began; by the name without a loop's number; of no wait", () => {
    expect(marksOf({ usual }, "charge")).toMatchObject([
      { layer: "usual", from: 5.5, to: 7, text: "usually 500 ms, 95 % within 2 s (40 executions of v1 in a week)" },
    ]);
    expect(marksOf({ usual }, "send-mail-3")).toMatchObject([
      { text: "usually 10 ms, 95 % within 20 ms (1,200 executions of all versions in a week)" },
    ]);
    expect(marksOf({ usual }, "nap")).toEqual([]);
  });

  it("is the same step of a good run, from the same place", () => {
    const good = [aStep("charge", 1, { startedAt: at(100), finishedAt: at(100.25) })];
    expect(marksOf({ good }, "charge")).toMatchObject([
      { layer: "good", from: 5, to: 5.25, text: "250 ms in a good run" },
    ]);
  });

  it("is each line of its log, in the generation in which it was written, and leads to it", () => {
    const logs = [line(7, 1.5, "charge", "asking\nthe gateway"), line(8, 90, "charge"), line(9, 3, null, "between")];
    expect(marksOf({ logs }, "charge")).toEqual([
      { layer: "logs", from: 1.5, to: 1.5, text: "log: asking", href: `/runs/${run.id}?tab=logs&line=7` },
    ]);
    const layers = layersOf({ ...NOTHING, logs });
    expect(lane && layers.ofLane(lane).map(({ text }) => text)).toEqual(["log: between"]);
  });

  it("is each span of the app below one that names the step; where names are masked, by what they have in common", () => {
    const spans = [
      span("attempt", null, 5, {
        "handrail.run.id": run.id,
        "handrail.step.name": "charge",
        "handrail.step.attempt": 2,
      }),
      span("GET", "attempt", 5.1),
      span("tls", "GET", 5.2),
      span("mail", null, 8, { "handrail.run.id": run.id, "handrail.step.name": "send-mail-<n>" }),
      span("POST", "mail", 8.2),
      span("other", null, 5),
    ];
    expect(marksOf({ spans }, "charge").map(({ text }) => text)).toEqual(["span GET: 500 ms", "span tls: 500 ms"]);
    expect(marksOf({ spans }, "send-mail-3").map(({ href }) => href)).toEqual([`/runs/${run.id}?tab=trace&span=POST`]);
  });

  it("is the same list for the same row, and finds the step of spans that are each other's parent", () => {
    const layers = layersOf({ ...NOTHING, usual });
    const row = lane?.rows[0];
    expect(row && layers.ofRow(row)).toBe(row && layers.ofRow(row));
    const ring = [span("a", "b", 1), span("b", "a", 1)];
    expect(ring.map(stepsOfSpans(ring))).toEqual([null, null]);
  });
});

it("an attempt's address has its generation where a rerun superseded it", () => {
  const steps = [
    aStep("charge", 1, { supersededBy: 2, attempts: [anAttempt(1, "failed", 1, 2)] }),
    aStep("charge", 1, { generation: 2, attempts: [anAttempt(1, "completed", 42, 43)] }),
  ];
  const hrefAt = (second: number) => attemptHref(aRun({ steps }), { step: "charge", attempt: 1, at: at(second) });
  expect(hrefAt(1.5)).toBe(`/runs/${run.id}?step=charge&attempt=1&generation=1`);
  expect(hrefAt(42.5)).toBe(`/runs/${run.id}?step=charge&attempt=1`);
});

describe("on the timeline", () => {
  afterEach(() => vi.unstubAllGlobals());

  function show(query: string) {
    const asked: string[] = [];
    const urls: string[] = [];
    vi.stubGlobal("fetch", async (address: string) => {
      const { pathname } = new URL(address, "http://localhost");
      asked.push(pathname);
      const end = { nextCursor: null, full: false, updatedAt: at(0) };
      if (pathname.endsWith("/logs"))
        return Response.json({ lines: [line(7, 1.5, "charge", "asking the gateway")], ...end });
      const usual = [{ step: "charge", version: 1, executions: 40, p50Ms: 500, p95Ms: 2_000 }];
      return Response.json({ goodRun: null, since: at(0), until: at(1), steps: usual, updatedAt: at(0) });
    });
    const page = document.createElement("div");
    Object.defineProperty(page, "clientHeight", { value: 1_200 });
    render(
      <QueryClientProvider client={new QueryClient()}>
        <NuqsTestingAdapter hasMemory searchParams={query} onUrlUpdate={({ queryString }) => urls.push(queryString)}>
          <TimelinePanel run={run} selected={null} opensAt={null} onSelect={() => undefined} wide={false} page={page} />
        </NuqsTestingAdapter>
      </QueryClientProvider>,
    );
    return { user: userEvent.setup(), asked, urls };
  }

  it("the usual time is there by itself; log lines once they are asked for, after the bars for the arrow keys", async () => {
    const { user, asked, urls } = show("");
    expect(await screen.findByRole("img", { name: /^usually 500 ms/ })).toBeDefined();
    expect(asked).toEqual([`/api/v1/runs/${run.id}/normal`]);
    await user.click(await screen.findByRole("button", { name: "Overlays" }));
    await user.click(await screen.findByRole("checkbox", { name: /Log lines/ }));
    await waitFor(() => expect(urls.at(-1)).toContain("overlays=usual,logs"));
    await user.keyboard("{Escape}");
    const row = screen.getByRole("button", { name: /^charge:/ });
    const mark = await screen.findByRole("link", { name: "log: asking the gateway", hidden: true });
    expect(mark.getAttribute("href")).toBe(`/runs/${run.id}?tab=logs&line=7`);
    row.focus();
    await user.keyboard("{ArrowLeft}");
    await waitFor(() => expect(document.activeElement?.hasAttribute("data-mark")).toBe(true));
    // Of the row, Tab still stops at what chooses it alone.
    expect([mark.tabIndex, row.tabIndex]).toEqual([-1, 0]);
  });

  it("the list of steps has the same marks, and its own choice of them", async () => {
    const { user, urls } = show("?view=steps");
    expect(await screen.findByRole("img", { name: /^usually 500 ms/ })).toBeDefined();
    await user.click(await screen.findByRole("button", { name: "Overlays" }));
    await user.click(await screen.findByRole("checkbox", { name: /Usual time/ }));
    await waitFor(() => expect(urls.at(-1)).toContain("overlays="));
    await waitFor(() => expect(screen.queryByRole("img", { name: /^usually/ })).toBeNull());
  });

  it("steps through the run's history: rows as they were, what happened in words, and the moment in the address", async () => {
    const { user, urls } = show("");
    await user.click(await screen.findByRole("button", { name: "History" }));
    const bar = within(await screen.findByRole("region", { name: "History of the run" }));
    expect(bar.getByRole("status").textContent).toContain("The run ended: completed");
    const slider = bar.getByRole("slider", { name: "Moment in the run's history" });
    expect(slider.getAttribute("aria-valuetext")).toMatch(/^9 of 9, 20 s after the start: /);
    const previous = bar.getByRole("button", { name: "Previous state" });
    for (let step = 0; step < 5; step++) await user.click(previous);
    expect(bar.getByRole("status").textContent).toContain("attempt 2 of 4 began");
    await waitFor(() => expect(urls.at(-1)).toContain("at=5000"));
    await waitFor(() => expect(screen.queryByRole("button", { name: /^nap:/ })).toBeNull());
    expect(screen.getByRole("button", { name: /^charge: Running/ })).toBeDefined();
    await user.click(bar.getByRole("button", { name: "Back to now" }));
    expect(await screen.findByRole("button", { name: /^nap:/ })).toBeDefined();
    expect(screen.getByRole("button", { name: /^charge: Completed/ })).toBeDefined();
  });

  it("opens at the moment that the address names", async () => {
    show("?at=1200");
    expect(await screen.findByText(/attempt 1 of 4 began/)).toBeDefined();
    expect(await screen.findByRole("button", { name: /^charge: Running/ })).toBeDefined();
  });
});
