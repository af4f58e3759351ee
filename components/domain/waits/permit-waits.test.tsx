import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { at } from "@/components/testing/a-run";
import type { Run } from "@/lib/api/contract/run";
import { PermitWaits } from "./permit-waits";

const wait: Run["permits"][number] = {
  step: "charge",
  limit: "stripe",
  keyed: false,
  concurrency: 10,
  rate: null,
  held: 10,
  started: 0,
  ahead: 12,
  asksAt: at(9),
};
const textOf = (...given: Partial<typeof wait>[]) => {
  const { container, unmount } = render(<PermitWaits permits={given.map((one) => ({ ...wait, ...one }))} />);
  const text = container.textContent;
  unmount();
  return text;
};

it("a step without a permit says which limit it waits for, and its place", () => {
  expect(textOf({})).toContain("The limit stripe lets 10 steps run at once, and 10 do now. 12 steps go before it.");
  expect(textOf({ concurrency: 1, held: 1, ahead: 0 })).toContain(
    "The limit stripe lets 1 step run at once, and 1 does now. Next.",
  );
  expect(textOf({ ahead: 1_000 })).toContain("1,000 steps or more go before it.");
  const rate = { limit: 100, perMs: 60_000 };
  expect(textOf({ concurrency: null, rate, held: 3, started: 100, ahead: 1 })).toContain(
    "The limit stripe lets 100 steps start in a minute, and as many have. 1 step goes before it.",
  );
  expect(textOf({ rate, held: 3, started: 100 })).toContain(
    "lets 100 steps start in a minute, and as many have; 10 steps run at once, and 3 do now.",
  );
  expect(textOf({ rate, started: 4 })).toContain(
    "lets 10 steps run at once, and 10 do now; 100 steps start in a minute.",
  );
});

it("of a limit with a key, it says nothing about others", () => {
  expect(textOf({ limit: "merchants", keyed: true, concurrency: 2, held: null, started: null, ahead: null })).toBe(
    "The limit merchants lets 2 steps of a key run at once. ",
  );
});

it("names every limit that it waits for", () => {
  const text = textOf({}, { limit: "merchants", keyed: true, held: null, started: null, ahead: null });
  expect(text).toContain("The limit stripe lets");
  expect(text).toContain("The limit merchants lets");
});
