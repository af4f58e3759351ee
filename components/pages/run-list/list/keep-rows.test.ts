import { describe, expect, it } from "vitest";
import { keepRows } from "./use-steady-runs";

const rows = (ids: string) => [...ids].map((id) => ({ id }));
const first = (ids: string) => ({ rows: rows(ids), left: new Set<string>() });

const ids = ({ rows, left }: { rows: { id: string }[]; left: ReadonlySet<string> }) =>
  rows.map(({ id }) => (left.has(id) ? id.toUpperCase() : id)).join("");

describe("rows that leave the filter", () => {
  it.each([
    ["abcde", "abcde", "abcde"],
    ["abcde", "ace", "aBcDe"],
    ["abcde", "cde", "ABcde"],
    ["abcde", "abcx", "abcDEx"],
    ["abcde", "", "ABCDE"],
    ["", "ab", "ab"],
  ])("of %s, when %s fit, %s are shown", (before, now, expected) =>
    expect(ids(keepRows(first(before), rows(now), false))).toBe(expected),
  );

  it("stay as long as nobody refreshes, and are well again when they come back", () => {
    const left = keepRows(first("abcde"), rows("abde"), false);
    const still = keepRows(left, rows("ade"), false);
    expect(ids(still)).toBe("aBCde");
    expect(ids(keepRows(still, rows("acde"), false))).toBe("aBcde");
  });

  it("are not those that others have pushed behind what is loaded", () => {
    expect(ids(keepRows(first("abcde"), rows("xac"), true))).toBe("xaBc");
    expect(ids(keepRows(first("abcde"), rows("xyz"), true))).toBe("xyz");
  });
});
