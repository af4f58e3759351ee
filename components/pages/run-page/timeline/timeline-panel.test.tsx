import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { describe, expect, it } from "vitest";
import { anAttempt, aRerun, aRun, aStep, at } from "@/components/testing/a-run";
import type { Run } from "@/lib/api/contract/run";
import { TimelinePanel } from "./timeline-panel";

/** A screen with a fixed size: in jsdom nothing has one, and only rows in sight are drawn. */
function aScreen(): HTMLDivElement {
  const page = document.createElement("div");
  Object.defineProperty(page, "clientHeight", { value: 1_200 });
  Object.defineProperty(page, "clientWidth", { value: 900 });
  Object.defineProperty(page, "scrollHeight", { value: 1_000_000 });
  return page;
}

function show(given: Partial<Run>, query = "", opensAt: string | null = null) {
  const chosen: string[] = [];
  const urls: string[] = [];
  const tops: number[] = [];
  const page = aScreen();
  page.scrollTo = ((to: ScrollToOptions) => tops.push(to.top ?? 0)) as typeof page.scrollTo;
  const client = new QueryClient();
  const panel = (shown: Partial<Run>) => (
    <QueryClientProvider client={client}>
      <NuqsTestingAdapter hasMemory searchParams={query} onUrlUpdate={({ queryString }) => urls.push(queryString)}>
        <TimelinePanel
          run={aRun({ finishedAt: at(200), ...shown })}
          selected={null}
          opensAt={opensAt}
          onSelect={({ name }) => chosen.push(name)}
          wide={false}
          page={page}
        />
      </NuqsTestingAdapter>
    </QueryClientProvider>
  );
  const { rerender } = render(panel(given));
  return { user: userEvent.setup(), chosen, urls, tops, change: (next: Partial<Run>) => rerender(panel(next)) };
}

const mails = Array.from({ length: 30 }, (_, index) => aStep(`send-mail-${index + 1}`, index));
const failedMail = aStep("send-mail-31", 31, {
  status: "failed",
  error: { name: "MailboxFull", message: "the mailbox is full" },
  attempts: [anAttempt(1, "failed", 31, 32)],
});

describe("the timeline", () => {
  it("is one row of a loop, with what failed of it; opened, all of its steps", async () => {
    const { user, chosen, urls } = show({ steps: [...mails, failedMail] });
    const loop = await screen.findByRole("button", { name: "31 steps named send-mail-…: 1 failed, 32 s in all" });
    expect(screen.getAllByRole("button", { name: /^send-mail-/ })).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: /^send-mail-31: Failed/ }));
    await waitFor(() => expect(chosen).toEqual(["send-mail-31"]));
    await user.click(loop);
    await waitFor(() => expect(screen.getAllByRole("button", { name: /^send-mail-/ }).length).toBeGreaterThan(10));
    await waitFor(() => expect(decodeURIComponent(urls.at(-1) ?? "")).toContain("loops=1+send-mail-…"));
  });

  it("names each bar with its times, and the arrows go through them and the rows", async () => {
    const retried = aStep("charge", 1, { attempts: [anAttempt(1, "failed", 1, 2.4), anAttempt(2, "completed", 5, 6)] });
    const { user } = show({ steps: [retried, aStep("reserve", 7)] });
    const charge = screen.getByRole("button", { name: /^charge: Completed/ });
    charge.focus();
    await user.keyboard("{ArrowRight}{ArrowRight}");
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(
      /^attempt 1 of 4 failed, 1.4 s: connect ECONNREFUSED, .*01\.000 to .*02\.400$/,
    );
    await user.keyboard("{ArrowLeft}{ArrowLeft}");
    await waitFor(() => expect(document.activeElement).toBe(charge));
  });

  it("is one stop of Tab, from which the arrows go on, past what holds nothing", async () => {
    const steps = [
      aStep("create-order", 0),
      aStep("charge", 1, { status: "failed", supersededBy: 2, attempts: [anAttempt(1, "failed", 1, 2)] }),
      aStep("charge", 1, { generation: 2, attempts: [anAttempt(1, "completed", 42, 43)] }),
      aStep("reserve", 2, { generation: 2, attempts: [anAttempt(1, "completed", 43, 44)] }),
    ];
    const { user } = show({ steps, generation: 2, audit: [aRerun(2, 40)] });
    const rows = screen.getByRole("list", { name: /^Timeline of/ });
    const stops = () => [...rows.querySelectorAll("[data-index]")].filter((row) => row.querySelector('[tabindex="0"]'));
    const hasFocus = (name: RegExp) =>
      waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name })));
    expect(stops()).toHaveLength(1);
    expect(screen.getByText(/result kept$/)).toBeDefined();
    screen.getByRole("button", { name: /^charge: (?!Completed)/ }).focus();
    await user.keyboard("{ArrowDown}");
    await hasFocus(/^generation 2/);
    await user.keyboard("{ArrowDown}");
    await hasFocus(/^charge: Completed/);
    await user.keyboard("{End}");
    await hasFocus(/^reserve:/);
    expect(stops()).toEqual([document.activeElement?.closest("[data-index]")]);
    await user.keyboard("{Home}");
    await hasFocus(/^generation 1/);
  });

  it("chooses the row that the arrows came to, however fast Enter follows", async () => {
    const { chosen } = show({ steps: [aStep("reserve", 0), aStep("charge", 1), aStep("ship", 2)] });
    screen.getByRole("button", { name: /^reserve:/ }).focus();
    // No frame is drawn between them, as on a busy machine.
    await userEvent.setup({ delay: null }).keyboard("{ArrowDown}{ArrowDown}{Enter}");
    expect(chosen).toEqual(["ship"]);
  });

  it("says how long a sleep was folded, and unfolds it", async () => {
    const sleep = aStep("wait", 1, { kind: "sleep", attempts: [], startedAt: at(1), finishedAt: at(10_801) });
    const { user, urls } = show({ steps: [aStep("a", 0), sleep, aStep("b", 10_801)], finishedAt: at(10_802) });
    await user.click(screen.getByRole("button", { name: "3 h asleep: unfold" }));
    await waitFor(() => expect(screen.getByRole("button", { name: /^3 h asleep: fold/ })).toBeDefined());
    await waitFor(() => expect(urls.at(-1)).toContain("unfold=1000"));
  });

  it("closes all but the last of many lanes, each with who opened it and why", async () => {
    const generations = Array.from({ length: 8 }, (_, index) => index + 1);
    const steps = generations.map((generation) =>
      aStep("charge", generation, { generation, supersededBy: generation < 8 ? generation + 1 : null }),
    );
    const audit = generations.slice(1).map((generation) => aRerun(generation, generation * 10, `try ${generation}`));
    const { user } = show({ steps, audit, generation: 8 });
    expect(screen.getAllByRole("button", { name: /^charge:/ })).toHaveLength(2);
    expect(screen.getByText("try 3")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "generation 3" }));
    await waitFor(() => expect(screen.getAllByRole("button", { name: /^charge:/ })).toHaveLength(3));
  });

  it("of ten thousand steps opens at the one that failed, and of none without one", () => {
    const steps = Array.from({ length: 10_000 }, (_, index) =>
      aStep(`step ${String.fromCodePoint(0x4e00 + index)}`, index),
    );
    const failed = aStep("store", 9_000, { status: "failed" });
    expect(Math.max(...show({ steps }).tops)).toBe(0);
    const top = Math.max(...show({ steps: steps.toSpliced(9_000, 0, failed) }, "", "store").tops);
    // Its row is in the last tenth of them.
    expect(top).toBeGreaterThan(9_000 * 28 - 1_200);
    expect(top).toBeLessThan(9_100 * 64);
  });

  it("keeps that step in sight while rows arrive above it, until somebody looks elsewhere", async () => {
    const step = (index: number) => aStep(`step ${String.fromCodePoint(0x4e00 + index)}`, index);
    const last = [
      aStep("store", 9_998, { status: "failed" }),
      ...Array.from({ length: 40 }, (_, index) => step(9_999 + index)),
    ];
    const upTo = (count: number) => ({ steps: [...Array.from({ length: count }, (_, index) => step(index)), ...last] });
    const { tops, change, user } = show(upTo(300), "", "store");
    const before = Math.max(...tops);
    change(upTo(2_000));
    await waitFor(() => expect(Math.max(...tops)).toBeGreaterThan(before + 1_000 * 28));
    await user.keyboard("{Shift}");
    tops.length = 0;
    change(upTo(4_000));
    await screen.findByRole("list", { name: "Timeline of 4,041 steps" });
    expect(Math.max(0, ...tops)).toBeLessThan(2_100 * 64);
  });

  it("looks at a part of the time, and says what it leaves out", async () => {
    const steps = Array.from({ length: 20 }, (_, index) => aStep(`step ${String.fromCharCode(97 + index)}`, index));
    const { user } = show({ steps }, "?from=0&to=5500");
    expect(screen.getByText(/14 steps not shown/)).toBeDefined();
    const strip = screen.getByRole("slider", { name: "Visible time range" });
    expect(strip.getAttribute("aria-valuetext")).toBe("from 0 ms to 5.5 s of 20 s");
    strip.focus();
    await user.keyboard("{Home}");
    await waitFor(() => expect(screen.queryByText(/not shown/)).toBeNull());
  });

  it("leads to the run of a child, and keeps what drift and doubt it shows", async () => {
    const child = aStep("fulfil", 1, { kind: "child", reference: "019aa5e0-0000-7000-8000-000000000009" });
    const unknown = aStep("mail", 2, {
      status: "unknown",
      finishedAt: null,
      attempts: [anAttempt(1, "unknown", 2, 3)],
    });
    const note = { generation: 1, version: 2, gone: ["fulfil"], goneCount: 1, next: null, stopped: true, at: at(9) };
    show({ steps: [child, unknown], drift: [note] });
    const link = screen.getByRole("link", { name: "The child run of fulfil" });
    expect(link.getAttribute("href")).toBe("/runs/019aa5e0-0000-7000-8000-000000000009");
    expect(screen.getByRole("button", { name: /^fulfil: Completed, not in v2/ })).toBeDefined();
    expect(screen.getByRole("button", { name: /^mail: Outcome unknown.*needs manual action/ })).toBeDefined();
    const legend = within(await screen.findByRole("list", { name: "Legend" }));
    expect(legend.getByText("outcome unknown")).toBeDefined();
  });
});

describe("the list of steps", () => {
  it("finds by name, error and status, and puts the longest first", async () => {
    const slow = aStep("slow", 40, { attempts: [anAttempt(1, "completed", 40, 90)], finishedAt: at(90) });
    const { user } = show({ steps: [...mails, failedMail, slow] }, "?view=steps");
    await user.click(await screen.findByRole("radio", { name: "Longest" }));
    expect(screen.getAllByRole("button", { name: /^(slow|send-mail-\d+):/ })[0]?.getAttribute("aria-label")).toMatch(
      /^slow/,
    );
    await user.type(screen.getByRole("searchbox", { name: /Find a step/ }), "mailbox");
    await waitFor(() => expect(screen.getAllByRole("button", { name: /^send-mail-/ })).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Clear the search" }));
    await user.click(screen.getByRole("button", { name: /^Failed/ }));
    await waitFor(() => expect(screen.getAllByRole("button", { name: /^send-mail-/ })).toHaveLength(1));
  });
});
