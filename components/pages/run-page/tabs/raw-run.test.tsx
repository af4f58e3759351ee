import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { describe, expect, it } from "vitest";
import { findInJson } from "@/components/parts/values/json-search";
import type { Json } from "@/components/parts/values/value-node";
import { aRun, aStep } from "@/components/testing/a-run";
import { RawRun } from "./raw-run";

describe("what is found in a value", () => {
  const json: Json = { order: { id: "A-1", lines: [{ sku: "x" }, { "odd sku": { $type: "masked" } }], none: [] } };
  it.each([
    ["sku", ["order.lines[0].sku", 'order.lines[1]["odd sku"]']],
    ["a-1", ["order.id"]],
    ["none", ["order.none"]],
    ["nothing", []],
  ])("%s", (q, paths) => expect(findInJson(json, q).values.map(({ path }) => path)).toEqual(paths));

  it("is 200 places at the most", () => {
    expect(
      findInJson(
        Array.from({ length: 900 }, () => "a"),
        "a",
      ),
    ).toMatchObject({ more: true, values: { length: 200 } });
  });
});

describe("the raw run", () => {
  it("finds a value and copies its path", async () => {
    const user = userEvent.setup();
    const run = aRun({ steps: [aStep("charge", 1, { output: { chargeId: "ch_1" } })] });
    render(<RawRun run={run} />, { wrapper: NuqsTestingAdapter });
    await user.type(screen.getByRole("searchbox", { name: "Find in the run" }), "ch_1");
    const list = await screen.findByRole("list", { name: "Found in the run" });
    expect(within(list).getAllByRole("listitem")).toHaveLength(1);
    await user.click(within(list).getByRole("button", { name: /^Copy the path/ }));
    expect(await navigator.clipboard.readText()).toBe("steps[0].output.chargeId");
  });

  it("says when nothing holds the text, and what is not here", async () => {
    const searched = ({ children }: { children: React.ReactNode }) => (
      <NuqsTestingAdapter searchParams="?find=zzz">{children}</NuqsTestingAdapter>
    );
    render(<RawRun run={aRun({ stepsLeftOut: 2 })} />, { wrapper: searched });
    expect(await screen.findByText("No matches")).toBeDefined();
    expect(screen.getByText(/2 steps of this long run are not here/)).toBeDefined();
  });
});
