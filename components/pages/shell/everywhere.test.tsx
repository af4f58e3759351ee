import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { LiveProvider } from "@/components/parts/live/live-provider";
import { TabState, useTabTitle } from "@/components/parts/page/tab-state";
import { Instant } from "@/components/parts/time/instant";
import { ViewerFormatsProvider } from "@/components/parts/time/viewer-formats";
import { keyOf } from "@/lib/api/hooks/query";
import { BRITISH } from "@/lib/format/viewer-formats";
import { ConnectionBar } from "./connection-bar";

let online = true;
beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  vi.spyOn(navigator, "onLine", "get").mockImplementation(() => online);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  document.title = "";
});

function show(children: ReactNode, needPerson = 0) {
  const queryClient = new QueryClient();
  const byAttention = { failed: needPerson, outcome_unknown: 0, compensation_owed: 0, approval: 0 };
  queryClient.setQueryData(keyOf("/v1/overview", {}), { byAttention, byStatus: {}, workers: { live: 1 } });
  return render(<QueryClientProvider client={queryClient}>{children}</QueryClientProvider>);
}

const Full = () => (
  <ViewerFormatsProvider formats={BRITISH}>
    <Instant at="2026-11-21T12:05:04Z" as="full" />
  </ViewerFormatsProvider>
);

const go = (where: "online" | "offline") =>
  act(() => {
    online = where === "online";
    dispatchEvent(new Event(where));
  });

/** Of the browser's network alone: the stream that it opens says nothing. */
const LiveBar = () => (
  <LiveProvider>
    <ConnectionBar />
  </LiveProvider>
);
class SilentSource extends EventTarget {
  close() {}
}

describe("the connection", () => {
  beforeAll(async () => void (await import("./trouble"))); // the bar loads it when there is trouble
  beforeEach(() => void vi.stubGlobal("EventSource", SilentSource));

  it("is said to be lost after a while, and to be back for a while", async () => {
    vi.useFakeTimers();
    show(<LiveBar />);
    go("offline");
    expect(screen.queryByText(/Offline/)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(screen.getByText(/^Offline since \d\d:\d\d:\d\d\.$/)).toBeTruthy();
    go("online");
    act(() => vi.advanceTimersByTime(1));
    expect(screen.getByText("Reconnected, refreshed.")).toBeTruthy();
    act(() => vi.advanceTimersByTime(5_000));
    expect(screen.getByRole("status").textContent).toBe("");
  });

  it("says nothing of what is over before anybody could read it", () => {
    vi.useFakeTimers();
    show(<LiveBar />);
    go("offline");
    act(() => vi.advanceTimersByTime(2_000));
    go("online");
    act(() => vi.advanceTimersByTime(10_000));
    expect(screen.getByRole("status").textContent).toBe("");
  });
});

describe("the tab", () => {
  it("says how many runs need attention, in its title and on its icon, whichever component sets the title", async () => {
    document.title = "Runs · Handrail";
    const { unmount } = show(<TabState />, 3);
    expect(document.title).toBe("● 3 · Runs · Handrail");
    document.title = "Workers · Handrail";
    await vi.waitFor(() => expect(document.title).toBe("● 3 · Workers · Handrail"));
    expect(document.head.querySelector<HTMLLinkElement>("link[rel=icon]")?.href).toMatch(/^data:image\/svg/);
    unmount();
    expect(document.head.querySelector("link[rel=icon]")).toBeNull();
  });

  it("says nothing while a page has no title yet", async () => {
    document.title = "Runs · Handrail";
    show(<TabState />, 3);
    document.title = "";
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(document.title).toBe("");
  });

  it("says the state of one thing", () => {
    const Page = () => {
      useTabTitle("Failed · A-17");
      return null;
    };
    show(
      <>
        <Page />
        <TabState />
      </>,
    );
    expect(document.title).toBe("Failed · A-17 · Handrail");
  });
});

describe("a time", () => {
  it.each([
    ["UTC", "21 Nov 2026, 12:05:04.000"],
    ["Asia/Kolkata", "21 Nov 2026, 17:35:04.000"],
  ])("is shown in %s once that is chosen, and names UTC on hover", (zone, expected) => {
    localStorage.setItem("handrail.zone", zone);
    render(<Full />);
    expect(screen.getByText(expected).title).toContain("2026-11-21 12:05:04.000 UTC");
  });

  it("is shown in the computer's zone where the saved zone is invalid", () => {
    localStorage.setItem("handrail.zone", "Moon/Crater");
    expect(() => render(<Full />)).not.toThrow();
  });
});

it("a title of odd spaces is written once, and not for ever", async () => {
  function Named() {
    useTabTitle("a run \t named\n\nby  lines ");
    return <TabState />;
  }
  let written = 0;
  const titles = new MutationObserver((changes) => {
    written += changes.length;
  });
  titles.observe(document.head, { childList: true, subtree: true, characterData: true });
  show(<Named />, 2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  titles.disconnect();
  expect(document.title).toBe("● 2 · a run named by lines · Handrail");
  expect(written).toBeLessThan(10);
});
