import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Command, matching, useCommands } from "@/components/parts/palette/commands";
import type { SearchResponse } from "@/lib/api/contract/search";
import { keyOf } from "@/lib/api/hooks/query";
import { Palette } from "./palette";

const push = vi.fn();
// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  for (const mocked of ["next/navigation", "next-themes"]) vi.doUnmock(mocked);
  vi.resetModules();
});
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }), usePathname: () => "/workers" }));
vi.mock("next-themes", () => ({ useTheme: () => ({ theme: "system", setTheme: vi.fn() }) }));

const RUN = "01a1fe7a-5fed-70c4-b42d-41a32f3a24f7";
const NOTHING: SearchResponse = {
  runs: [],
  moreRuns: false,
  workflows: [],
  problems: [],
  operations: [],
  schedules: [],
  people: [],
};
const A_RUN: SearchResponse = {
  ...NOTHING,
  runs: [
    {
      runId: RUN,
      workflow: "order",
      title: "Order",
      status: "failed",
      attention: "failed",
      runTitle: null,
      tags: { orderId: "A-17" },
      idempotencyKey: null,
      createdAt: "2026-11-21T12:00:00Z",
    },
  ],
};

/** Every question to the server, with what gives it up. */
let asked: { url: string; signal: AbortSignal | null }[];
let answers: Record<string, SearchResponse | Promise<SearchResponse> | Error>;
beforeEach(() => {
  [asked, answers] = [[], {}];
  vi.stubGlobal("fetch", async (url: string, { signal }: RequestInit) => {
    asked.push({ url, signal: signal ?? null });
    const q = new URLSearchParams(url.split("?")[1]).get("q") ?? "";
    const answer = await (answers[q] ?? NOTHING);
    if (answer instanceof Error) throw answer;
    return Response.json(answer);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  push.mockReset();
  localStorage.clear();
});

function open(children?: React.ReactNode) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions: [], workflows: null });
  queryClient.setQueryData(keyOf("/v1/overview", {}), { demo: false });
  const onClose = vi.fn();
  const ui = (shown: boolean) => (
    <QueryClientProvider client={queryClient}>
      {children}
      {shown && <Palette onClose={onClose} />}
    </QueryClientProvider>
  );
  const { rerender } = render(ui(true));
  onClose.mockImplementation(() => rerender(ui(false)));
  return { onClose, input: screen.getByRole("combobox") };
}

function Offering({ commands }: { commands: Command[] }) {
  useCommands("This run", commands);
  return null;
}

const chosen = () => screen.getAllByRole("option").find((one) => one.getAttribute("aria-selected") === "true");

describe("the palette", () => {
  it("goes to a page by a part of its name", async () => {
    const { input, onClose } = open();
    await userEvent.type(input, "comp{Enter}");
    expect(onClose).toHaveBeenCalled();
    await waitFor(() => expect(push).toHaveBeenCalledWith("/compensations"));
    expect(asked).toEqual([]);
  });

  it.each([
    ["mark manual compensation", "Mark manual compensation", "/compensations"],
    ["rerun the failed step", "Rerun a failed step", "/runs?attention=failed"],
    ["retry", "Rerun a failed step", "/runs?attention=failed"],
    ["browse runs", "Browse runs", "/runs"],
    ["operations", "Bulk actions", "/operations"],
    ["overview", "Inbox", "/"],
  ])("finds by what people call it: %s", async (typed, label, href) => {
    const { input } = open();
    await userEvent.type(input, typed);
    expect(chosen()?.textContent).toContain(label);
    await userEvent.type(input, "{Enter}");
    await waitFor(() => expect(push).toHaveBeenCalledWith(href));
  });

  it("offers what the page offers first, and a closed act with its reason, which it does not do", async () => {
    const [rerun, cancel] = [vi.fn(), vi.fn()];
    const { input, onClose } = open(
      <Offering
        commands={[
          { id: "rerun", label: "Rerun from charge…", run: rerun },
          { id: "cancel", label: "Cancel the run…", closed: "The run has ended.", run: cancel },
        ]}
      />,
    );
    expect(chosen()?.textContent).toContain("Rerun from charge…");
    await userEvent.type(input, "cancel");
    expect(chosen()?.textContent).toContain("The run has ended.");
    await userEvent.type(input, "{Enter}");
    expect(onClose).not.toHaveBeenCalled();
    await userEvent.clear(input);
    await userEvent.type(input, "rerun{Enter}");
    await waitFor(() => expect(rerun).toHaveBeenCalledOnce());
    expect(cancel).not.toHaveBeenCalled();
  });

  it("finds by a key, shows status by shape and word, and opens what was found", async () => {
    answers["A-17"] = A_RUN;
    const { input } = open();
    await userEvent.type(input, "A-17");
    const option = await screen.findByRole("option", { name: /A-17.*Order/ });
    expect(within(option).getByText("Failed")).toBeTruthy();
    expect(chosen()).toBe(option);
    expect(asked.map(({ url }) => url)).toEqual(["/api/v1/search?q=A-17"]);
    await userEvent.type(input, "{Enter}");
    await waitFor(() => expect(push).toHaveBeenCalledWith(`/runs/${RUN}`));
  });

  it("leads to the list where nothing was found, or somebody was faster than the answer", async () => {
    answers["A-18"] = new Promise(() => undefined);
    const { input } = open();
    await userEvent.type(input, "A-18{Enter}");
    await waitFor(() => expect(push).toHaveBeenCalledWith("/runs?q=A-18"));
  });

  it("shows times in the zone that is typed", async () => {
    const { input } = open();
    await userEvent.type(input, "utc");
    await userEvent.click(await screen.findByRole("option", { name: "Times in UTC" }));
    expect(localStorage.getItem("handrail.zone")).toBe("UTC");
  });

  it("offers the other clock", async () => {
    const { input } = open();
    await userEvent.type(input, "hour");
    await userEvent.click(await screen.findByRole("option", { name: "12-hour clock" }));
    expect(localStorage.getItem("handrail.hours")).toBe("12");
  });

  it("opens a pasted id at once", async () => {
    answers[RUN] = A_RUN;
    const { input } = open();
    await userEvent.click(input);
    await userEvent.paste(RUN);
    await waitFor(() => expect(push).toHaveBeenCalledWith(`/runs/${RUN}`));
  });

  it("gives a question up that nobody waits for, and never shows its answer for another text", async () => {
    let answer: (found: SearchResponse) => void = () => undefined;
    answers["A-1"] = new Promise((resolve) => {
      answer = resolve;
    });
    const { input } = open();
    await userEvent.type(input, "A-1");
    await waitFor(() => expect(asked).toHaveLength(1));
    await userEvent.type(input, "8");
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[0]?.signal?.aborted).toBe(true);
    answer(A_RUN);
    await waitFor(() => expect(screen.getByText("1 choice")).toBeTruthy());
    expect(screen.queryByText("Failed")).toBeNull();
  });

  it("says why a search failed, and offers the rest", async () => {
    answers["A-17"] = new TypeError("network");
    const { input } = open();
    await userEvent.type(input, "A-17");
    expect(await screen.findByText(/^The search failed: Handrail does not answer/)).toBeTruthy();
    expect(screen.getByRole("option", { name: /Runs with/ })).toBeTruthy();
  });

  it("tells the recent things of this viewer alone, but for the one in view", () => {
    const recent = [
      { href: `/runs/${RUN}`, label: "A-17 · Order" },
      { href: "/workers", label: "Here" },
    ];
    localStorage.setItem("handrail.recent", JSON.stringify({ who: "ada", recent }));
    open();
    expect(screen.getByRole("option", { name: "A-17 · Order" })).toBeTruthy();
    expect(screen.queryByRole("option", { name: "Here" })).toBeNull();
  });

  it("tells nobody of what another viewer has looked at", () => {
    localStorage.setItem("handrail.recent", JSON.stringify({ who: "eve", recent: [{ href: "/x", label: "Secret" }] }));
    open();
    expect(screen.queryByText("Secret")).toBeNull();
  });
});

describe("what is typed", () => {
  const commands = ["Dark theme", "Resume updating", "Rerun from charge-payment…"].map((label) => ({
    id: label,
    label,
    words: "change",
    run: () => undefined,
  }));
  it.each([
    ["dark", ["Dark theme"]],
    ["change d", ["Dark theme"]],
    ["FROM charge-p", ["Rerun from charge-payment…"]],
    ["theme light", []],
  ])("%s finds %o", (typed, expected) => {
    expect(matching(commands, typed).map(({ label }) => label)).toEqual(expected);
  });
});
