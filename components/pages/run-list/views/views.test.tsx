import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { at } from "@/components/testing/a-run";
import type { SavedView } from "@/lib/api/contract/views";
import { keyOf } from "@/lib/api/hooks/query";
import { useRunUrl } from "../address/use-run-url";
import { isSameState, stateOf, urlOf, useViews } from "./use-views";
import { USUAL_VIEWS } from "./usual-views";

const saved: SavedView = {
  id: "019aa5e0-0000-7000-8000-00000000000a",
  name: "Stuck gold orders",
  owner: "ada",
  mine: true,
  shared: true,
  mayChange: true,
  state: { status: "failed", cols: "status,key,input.customer.tier:120" },
  revision: 3,
  updatedAt: at(0),
  updatedBy: "ada",
};

function aPage(searchParams: string) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(keyOf("/v1/views", {}), { views: [saved] });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <NuqsTestingAdapter searchParams={searchParams} hasMemory>
        {children}
      </NuqsTestingAdapter>
    </QueryClientProvider>
  );
  return renderHook(
    () => {
      const page = useRunUrl();
      return { page, views: useViews(page) };
    },
    { wrapper },
  ).result;
}

describe("a view of the runs", () => {
  it("is the address, and back, without the run that is looked at", () => {
    const url = { ...urlOf(saved.state), run: "x", view: saved.id };
    expect(url).toMatchObject({ status: ["failed"], cols: ["status", "key", "input.customer.tier:120"], q: "" });
    expect(stateOf(url)).toEqual(saved.state);
  });

  it("is the same whatever the order of its parts, and whatever a newer console has put into it", () => {
    expect(isSameState({ status: "failed", q: "A" }, { q: "A", status: "failed", unheardOf: "1" })).toBe(true);
    expect(isSameState({ status: "failed" }, { status: "waiting" })).toBe(false);
  });

  it("every usual one says what it shows", () => {
    for (const { state, name } of USUAL_VIEWS) expect(stateOf(urlOf(state)), name).toEqual(state);
  });
});

describe("choosing views", () => {
  it("takes the address of the view, and knows when it was changed since", async () => {
    const result = aPage("?q=A-17&run=x");
    expect(result.current.views).toMatchObject({ current: { id: "all" }, changed: true });
    await act(async () => result.current.views.show(saved));
    expect(result.current.page.url).toMatchObject({ q: "", status: ["failed"], run: null, view: saved.id });
    expect(result.current.views.changed).toBe(false);
    await act(async () => void result.current.page.setUrl({ q: "A-18" }));
    expect(result.current.views).toMatchObject({ current: saved, changed: true, state: { ...saved.state, q: "A-18" } });
    await act(async () => result.current.views.show(result.current.views.current));
    expect(result.current.page.url.q).toBe("");
  });

  it("a link that names a view and nothing else shows it; one that says more shows that", async () => {
    const short = aPage(`?view=${saved.id}`);
    await act(async () => undefined);
    expect(short.current.page.url.status).toEqual(["failed"]);
    await act(async () => void short.current.page.clear());
    expect(short.current.page.url.status).toEqual([]);
    const whole = aPage(`?view=${saved.id}&status=waiting`);
    await act(async () => undefined);
    expect(whole.current.page.url.status).toEqual(["waiting"]);
    expect(whole.current.views.changed).toBe(true);
  });

  it("of a view that is gone, the filters stay", () => {
    const result = aPage("?view=gone&status=failed");
    expect(result.current.views).toMatchObject({ current: { id: "all" }, changed: true, state: { status: "failed" } });
  });
});
