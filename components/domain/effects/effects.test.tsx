import { render, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { at } from "@/components/testing/a-run";
import type { EffectRecord } from "@/lib/api/contract/effects";
import { EFFECT_VERDICTS } from "@/lib/engine/steps/effect-verdict";
import { EffectTable } from "./effect-table";
import { effectsHref, toEffectFilter } from "./effect-url";
import { VerdictBanner } from "./verdict-banner";

const RUN = "019aa5e0-0000-7000-8000-000000000001";

const anEffect = (given: Partial<EffectRecord> = {}): EffectRecord => ({
  runId: RUN,
  workflow: "order-fulfilment",
  runStatus: "completed",
  tags: { orderId: "A-17" },
  runTitle: null,
  step: "charge",
  position: 1,
  kind: "step",
  effect: "idempotent",
  verdict: "once",
  outcome: "kept",
  idempotencyKey: `${RUN}:charge:1`,
  keyUse: "one_attempt",
  attemptCount: 1,
  reference: "ch_1",
  compensation: "none",
  startedAt: at(1),
  finishedAt: at(2),
  mayHaveBegunUnseen: false,
  generations: [],
  ...given,
});

const table = (effects: EffectRecord[], withRun = false) => render(<EffectTable effects={effects} withRun={withRun} />);

describe("the table of effects", () => {
  it("says what happened, with reference and key", () => {
    table([anEffect(), anEffect({ step: "mail", verdict: "maybe_twice", reference: null, compensation: "owed" })]);
    const [, charge, mail] = screen.getAllByRole("row") as [HTMLElement, HTMLElement, HTMLElement];
    expect(within(charge).getByText("Once")).toBeDefined();
    expect(within(charge).getAllByText("ch_1").length).toBeGreaterThan(0);
    expect(within(mail).getByText("Possible duplicate")).toBeDefined();
    expect(within(mail).getByText("Pending compensation")).toBeDefined();
  });

  it("names the run of each row where there are many", () => {
    table([anEffect()], true);
    expect(screen.getByRole("link", { name: "A-17" }).getAttribute("href")).toBe(`/runs/${RUN}?tab=effects`);
  });
});

it("the sentence on top has its numbers, the worst first", () => {
  const counts = Object.fromEntries(EFFECT_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    (typeof EFFECT_VERDICTS)[number],
    number
  >;
  const onShow = vi.fn();
  render(
    <VerdictBanner
      shown={[]}
      onShow={onShow}
      tally={{
        verdict: "unknown",
        counts: { ...counts, once: 3, unknown: 1 },
        total: 4,
        lostAtEnd: false,
        capped: false,
      }}
    />,
  );
  expect(screen.getByText("Some effects may have happened; no outcome is recorded.")).toBeDefined();
  expect(screen.getByText(/of 4 effects/)).toBeDefined();
  screen.getByRole("button", { name: "Unknown 1" }).click();
  expect(onShow).toHaveBeenCalledWith(["unknown"]);
});

describe("the address of the ledger", () => {
  it("takes the filters of the runs list along", () => {
    expect(effectsHref({ q: " A-17 ", status: ["failed"], attention: [], workflow: ["a", "b"] })).toBe(
      "/effects?q=A-17&status=failed&workflow=a,b",
    );
    expect(effectsHref({ q: "", status: [], attention: [], workflow: [] })).toBe("/effects");
  });

  it("becomes the filter of the API, without what is empty", () => {
    const none = { q: "", status: [], attention: [], workflow: [], step: " ", verdict: [], since: null, until: null };
    expect(toEffectFilter(none)).toEqual({});
    expect(toEffectFilter({ ...none, step: "charge", verdict: ["unknown"], since: new Date(at(0)) })).toEqual({
      step: "charge",
      verdict: ["unknown"],
      since: at(0),
    });
  });
});
