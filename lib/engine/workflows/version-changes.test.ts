import { describe, expect, it } from "vitest";
import { type DeclaredVersion, declaredChanges, type SeenStep, stepChanges } from "./version-changes";

const step = (name: string, options: Partial<SeenStep> = {}): SeenStep => ({
  ...{ name, kind: "step", effect: "idempotent", max_attempts: 3, compensation_mode: null, can_ask: false },
  ...options,
});

describe("two versions of a workflow", () => {
  it("differ in steps that were added, removed or changed; what is the same is left out", () => {
    const before = [step("create"), step("charge", { compensation_mode: "manual" }), step("ship")];
    const after = [
      step("create"),
      step("check", { effect: "pure" }),
      step("charge", { effect: "once", max_attempts: 5 }),
    ];
    expect(stepChanges(before, after)).toEqual([
      {
        step: "check",
        change: "added",
        options: [
          { option: "kind", before: null, after: "step" },
          { option: "effect", before: null, after: "pure" },
          { option: "attempts", before: null, after: "3" },
        ],
      },
      {
        step: "charge",
        change: "changed",
        options: [
          { option: "effect", before: "idempotent", after: "once" },
          { option: "attempts", before: "3", after: "5" },
          { option: "compensation", before: "manual", after: null },
        ],
      },
      {
        step: "ship",
        change: "removed",
        options: [
          { option: "kind", before: "step", after: null },
          { option: "effect", before: "idempotent", after: null },
          { option: "attempts", before: "3", after: null },
        ],
      },
    ]);
  });

  it("have a loop as one step, however many turns each run made, and no attempts of a wait", () => {
    const waits = (name: string, tries: number) => step(name, { kind: "sleep", max_attempts: tries });
    expect(stepChanges([step("send-1"), step("send-2"), waits("rest", 1)], [step("send-1"), waits("rest", 2)])).toEqual(
      [],
    );
  });

  it("differ in what they declare: limits, retention, masks, second persons, events, input", () => {
    const none: DeclaredVersion = {
      ...{ input_schema: null, limits: null, retention: null, masked: [], four_eyes: [], events: [] },
    };
    const before: DeclaredVersion = {
      ...none,
      limits: { concurrency: 4, rate: null, keyed: false },
      masked: ["card.number"],
      input_schema: { properties: { id: { type: "string" }, cents: { type: "number" } }, required: ["id", "cents"] },
    };
    const after: DeclaredVersion = {
      limits: { concurrency: 6, rate: { limit: 5, perMs: 1000 }, keyed: true },
      retention: { completedMs: 30 * 86_400_000 },
      masked: [],
      four_eyes: ["cancel"],
      events: ["paid"],
      input_schema: { properties: { id: { type: "string" }, cents: { type: "number" }, note: true }, required: ["id"] },
    };
    expect(declaredChanges(before, after).map(({ option, before: was, after: is }) => [option, was, is])).toEqual([
      ["limit concurrency", "4", "6"],
      ["masked field card.number", "yes", null],
      ["input field cents", "number, required", "number"],
      ["limit rate", null, '{"limit":5,"perMs":1000}'],
      ["limit keyed", null, "true"],
      ["completed runs are kept", null, "30 days"],
      ["second person for cancel", null, "yes"],
      ["event paid", null, "yes"],
      ["input field note", null, "any"],
    ]);
    expect(declaredChanges(none, none)).toEqual([]);
  });
});
