import { describe, expect, it } from "vitest";
import { nowAt } from "@/components/domain/run/run-words";
import { aListedRun, at } from "@/components/testing/a-run";
import type { RunListItem } from "@/lib/api/contract/run";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { toRunFilter } from "@/lib/filters/run-filter";
import { nameOfRun } from "@/lib/format/run-name";
import { splitAtNewest } from "./list/use-steady-runs";

const listed = (given: Partial<RunListItem>) => aListedRun(given);

describe("a list that does not jump", () => {
  const runs = ["5", "4", "3", "2"].map((id) => listed({ id }));

  it("holds back what is newer than it was opened with", () => {
    const { shown, held } = splitAtNewest(runs, "3");
    expect(shown.map(({ id }) => id)).toEqual(["3", "2"]);
    expect(held).toBe(2);
  });

  it("holds nothing back where there was nothing to read, and everything where all is new", () => {
    expect(splitAtNewest(runs, null).held).toBe(0);
    expect(splitAtNewest(runs, "1")).toMatchObject({ held: 4, shown: [] });
  });
});

describe("the filter in the address", () => {
  it("leaves out what is empty, so that equal filters are one question", () => {
    expect(toRunFilter({ q: " ", status: [], attention: [], workflow: [] })).toEqual({});
    expect(toRunFilter({ q: " A-17 ", status: ["failed"], attention: [], workflow: [] })).toEqual({
      q: "A-17",
      status: ["failed"],
    });
  });
});

describe("what people call a run", () => {
  it.each([
    ["order-17", {}, "order-17"],
    [null, { orderId: "A-17" }, "A-17"],
    ["demo:A-17", { orderId: "A-17" }, "A-17"],
    ["9d2f1c3e-1111-4222-8333-444455556666", { orderId: "A-17" }, "A-17"],
    ["order-17", { customer: "c-9" }, "order-17"],
    [null, {}, null],
    // Tags come with the shortest name first.
    [null, { region: "uk", orderId: "A-17", customerId: "c-9" }, "A-17"],
    ["customer-us-9", { region: "us", customerId: "c-9" }, "customer-us-9"],
    [null, { region: "uk" }, "uk"],
  ])("key %s and tags %o make %s", (idempotencyKey, tags, expected) => {
    expect(titleOfRun({ idempotencyKey, tags: tags as Record<string, string> })).toBe(expected);
  });

  it("is the title that its workflow gives it, before all others, and nothing that is hidden", () => {
    const known = { idempotencyKey: "order-17", tags: { orderId: "A-17" } };
    expect(titleOfRun({ ...known, runTitle: "Order A-17 · Ada" })).toBe("Order A-17 · Ada");
    expect(titleOfRun({ ...known, runTitle: "•••" })).toBe("order-17");
    expect(titleOfRun({ runTitle: null, tags: { email: "•••", orderId: "A-17" } })).toBe("A-17");
    expect(nameOfRun("0199c3f7-1111-7222-8333-44445555e5a1", null)).toBe("0199c3f7…e5a1");
  });
});

describe("the state of a run", () => {
  it("names the failed step and the error's code", () => {
    const error = { name: "Error", message: "m", code: "ECONNREFUSED" };
    expect(nowAt(listed({ status: "failed", failedStep: "charge", error }))).toMatchObject({
      step: "charge",
      note: "ECONNREFUSED",
    });
  });

  it("counts attempts while it retries, and says until when", () => {
    const waitingFor = { kind: "retry" as const, step: "charge", since: at(1), until: at(9) };
    const stepBar = [{ name: "charge", status: "waiting" as const, attempt: 3, maxAttempts: 4 }];
    expect(nowAt(listed({ status: "waiting", waitingFor, stepBar }))).toEqual({
      step: "charge",
      note: "attempt 3 of 4",
      until: at(9),
    });
  });

  it("is quiet about a run that ended well", () => {
    expect(nowAt(listed({ status: "completed" }))).toEqual({ step: null, note: "", until: null });
  });
});
