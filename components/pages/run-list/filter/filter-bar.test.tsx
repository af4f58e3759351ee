import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter, type UrlUpdateEvent } from "nuqs/adapters/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aListedRun } from "@/components/testing/a-run";
import { toRunFilter } from "@/lib/filters/run-filter";
import { useRunUrl } from "../address/use-run-url";
import { FilterBar } from "./filter-bar";

const RUNS = [
  aListedRun({
    input: { amountCents: 500, card: { $type: "masked" } },
    tags: { orderId: "A-17" },
    failedStep: "charge-payment",
    version: 2,
    codeVersion: 3,
  }),
];

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ workflows: [], problems: [], nextCursor: null })));
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => vi.unstubAllGlobals());

/** The bar on a page at this address; `address` is the current one. */
function open(searchParams = "") {
  const seen: UrlUpdateEvent[] = [];
  const onEnter = vi.fn();
  function Page() {
    const page = useRunUrl();
    return <FilterBar {...page} runs={RUNS} onEnter={onEnter} />;
  }
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <NuqsTestingAdapter searchParams={searchParams} hasMemory onUrlUpdate={(event) => seen.push(event)}>
        <Page />
      </NuqsTestingAdapter>
    </QueryClientProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>("combobox", { name: /Filter runs/ });
  const write = (value: string) => fireEvent.change(field, { target: { value } });
  const press = (...keys: string[]) => {
    for (const key of keys) fireEvent.keyDown(field, { key });
  };
  const options = () => screen.queryAllByRole("option").map((option) => option.firstChild?.textContent);
  const active = () => document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent;
  const chips = () => screen.queryAllByRole("listitem").map((chip) => chip.textContent);
  return { field, write, press, options, active, chips, onEnter, address: () => seen.at(-1)?.queryString ?? "" };
}

describe("the filter bar", () => {
  it("makes a chip of a term once its word has ended, and looks for the text beside it", async () => {
    const { field, write, chips, address } = open();
    write("status:failed ");
    expect(chips()).toEqual(["status failed"]);
    expect(field.value).toBe("");
    write("A-17 tag.shop:berlin ");
    expect(chips()).toEqual(["status failed", "tag.shop berlin"]);
    expect(field.value).toBe("A-17");
    await vi.waitFor(() => expect(address()).toBe("?status=failed&q=A-17&tag=shop:berlin"));
  });

  it("suggests fields, then their values; arrows move, Enter takes, and the field keeps the focus", async () => {
    const { field, write, press, options, active, chips } = open();
    act(() => field.focus());
    expect(field.getAttribute("aria-expanded")).toBe("true");
    expect(options()).toContain("status:");
    write("ste");
    expect(options()).toEqual(["step:"]);
    press("ArrowDown");
    expect(active()).toContain("step:");
    press("Enter");
    expect(field.value).toBe("step:");
    expect(options()).toContain("step:charge-payment");
    press("ArrowUp", "ArrowUp", "ArrowDown", "Enter");
    expect(chips()).toHaveLength(1);
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute("aria-controls")).toBe(screen.getByRole("listbox").id);
    press("Escape");
    expect(field.getAttribute("aria-expanded")).toBe("false");
  });

  it("suggests nothing for an id; Enter then opens the first run", () => {
    const { field, write, press, options, onEnter } = open();
    act(() => field.focus());
    write("0199c3f7-aaaa");
    expect(options()).toEqual([]);
    press("Enter");
    expect(onEnter).toHaveBeenCalledExactlyOnceWith("0199c3f7-aaaa");
  });

  it("takes the last chip out by Backspace in an empty field, and each by its button", () => {
    const { press, chips } = open("?status=failed&workflow=order&not=version:7");
    expect(chips()).toEqual(["status failed", "workflow order", "not version 7"]);
    press("Backspace");
    expect(chips()).toEqual(["status failed", "workflow order"]);
    fireEvent.click(screen.getByRole("button", { name: "Remove status:failed" }));
    expect(chips()).toEqual(["workflow order"]);
  });

  it("says beneath what is wrong and what to write instead; the words stay", () => {
    const { field, write, press, chips } = open();
    write("status:broken ");
    expect(screen.getByRole("status").textContent).toContain("“broken” is not a status. Choose from pending");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(field.value).toBe("status:broken ");
    write("status:failed");
    press("Enter");
    expect(chips()).toEqual(["status failed"]);
    expect(screen.getByRole("status").textContent).toBe("");
  });

  it("keeps a time's one end and a filter free of contradictions", () => {
    const { write, chips } = open("?since=24h&status=failed");
    write("since:1h -status:failed took:>5m took:>10m ");
    expect(chips()).toEqual(["took >10m", "since 1h ago", "not status failed"]);
  });
});

describe("questions over steps in the bar", () => {
  it("become chips and one part of the address; of two bounds the later one counts, and a step is done or not", async () => {
    const { write, chips, address } = open();
    write(
      "did:charge-payment not:send-confirmation input.amountCents:>5 input.amountCents:>10 took.charge-payment:>2s ",
    );
    expect(chips()).toEqual([
      "did charge-payment",
      "not did send-confirmation",
      "input.amountCents >10",
      "took.charge-payment >2s",
    ]);
    await vi.waitFor(() => expect(address()).toContain("where=did:charge-payment,-did:send-confirmation,"));
    write("did:send-confirmation ");
    expect(chips()).toContain("did send-confirmation");
    expect(chips()).not.toContain("not did send-confirmation");
  });

  it("are suggested by the steps and paths that the page knows", () => {
    const { field, write, options } = open();
    act(() => field.focus());
    write("did:char");
    expect(options()).toContain("did:charge-payment");
    write("took.");
    expect(options()).toContain("took.charge-payment:");
    write("input.");
    expect(options()).toContain("input.amountCents:");
  });

  it("a version is suggested as the list shows it", () => {
    const { field, write, options } = open();
    act(() => field.focus());
    write("version:");
    expect(options()).toEqual(["version:3"]);
  });
});

describe("the filter in the address", () => {
  const EMPTY = { q: "", status: [], attention: [], workflow: [] };

  it("is what the API is asked", () => {
    expect(
      toRunFilter({
        ...EMPTY,
        step: ["a, b"],
        tag: ["shop:berlin", "shop:paris", "url:https://x"],
        since: "24h",
        took: [">5m", "<1h"],
        where: ["did:charge", "-did:ship", "input.n:>1", "no question"],
        not: ["workflow:nightly", "version:7", 'error:a "b"'],
      }),
    ).toEqual({
      step: ["a, b"],
      tags: { shop: ["berlin", "paris"], url: ["https://x"] },
      createdAfter: "24h",
      where: ["did:charge", "-did:ship", "input.n:>1"],
      tookOverMs: 300_000,
      tookUnderMs: 3_600_000,
      notWorkflow: ["nightly"],
      notVersion: [7],
      notError: ['a "b"'],
    });
  });

  it("leaves a status out by asking for the others", () => {
    expect(toRunFilter({ ...EMPTY, not: ["status:completed"] }).status).toHaveLength(8);
    expect(toRunFilter({ ...EMPTY, not: ["status:no such", "since:1h"], since: "yesterday", version: ["x"] })).toEqual(
      {},
    );
  });
});
