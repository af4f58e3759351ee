import { expect, it } from "vitest";
import { changesBetween } from "./audit-entry";

it("tells what differs, place by place, and nothing else", () => {
  const before = { status: "failed", revision: 3, step: { name: "charge", status: "failed" }, gone: null };
  const after = {
    status: "pending",
    revision: 4,
    step: { name: "charge", status: "failed" },
    freshKeys: false,
    list: [1],
  };
  expect(changesBetween(before, after)).toEqual([
    { path: "status", before: "failed", after: "pending" },
    { path: "revision", before: "3", after: "4" },
    { path: "gone", before: "null", after: null },
    { path: "freshKeys", before: null, after: "false" },
    { path: "list", before: null, after: "[1]" },
  ]);
  expect(changesBetween(before, before)).toEqual([]);
});
