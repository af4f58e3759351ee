import { describe, expect, it } from "vitest";
import { differenceFromBoth } from "./observation";

describe("a run that one build begins and another one ends", () => {
  it.each([
    ["as the older one", { mails: ["a"] }, { mails: ["a", "b"] }, { mails: ["a"] }],
    ["as the newer one", { mails: ["a"] }, { mails: ["a", "b"] }, { mails: ["a", "b"] }],
    [
      "some of each",
      { charges: ["old"], mails: ["old"] },
      { charges: ["new"], mails: ["new"] },
      { charges: ["old"], mails: ["new"] },
    ],
    ["between them", ["a", "b", "c"], ["a"], ["a", "c"]],
    ["in either order", ["a", "b"], ["b", "a"], ["b", "a"]],
    ["of one list, some of each", ["a", "b"], ["x", "y"], ["a", "y"]],
  ])("may leave behind: %s", (_what, older, newer, now) => {
    expect(differenceFromBoth(older, newer, now)).toBeUndefined();
  });

  it.each([
    ["twice", ["a"], ["a"], ["a", "a"], { path: "", counts: { now: 2, before: 1 } }],
    ["twice", { charges: ["old"] }, { charges: ["new"] }, { charges: ["old", "new"] }, { path: "charges" }],
    ["never", { mails: ["a"] }, { mails: ["a"] }, { mails: [] }, { path: "mails", counts: { now: 0, before: 1 } }],
    ["never", ["a", "b"], ["a", "c"], ["b", "c"], {}],
    ["different", { sum: 1 }, { sum: 2 }, { sum: 3 }, { path: "sum", counts: null }],
    ["twice", { a: 1, list: ["x"] }, { a: 2, list: ["x"] }, { a: 3, list: ["x", "x"] }, { path: "list" }],
  ])("is found: %s", (kind, older, newer, now, where) => {
    expect(differenceFromBoth(older, newer, now)).toMatchObject({ kind, ...where });
  });
});
