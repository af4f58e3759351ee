import { expect, it } from "vitest";
import { ownPath } from "./own-path";

const ORIGIN = "https://handrail.example.com";

it.each([
  ["/runs?status=failed", "/runs?status=failed"],
  ["/runs/../audit", "/audit"],
  ["/", "/"],
])("takes %s", (asked, path) => {
  expect(ownPath(asked, ORIGIN)).toBe(path);
});

it.each([
  null,
  "",
  "runs",
  "https://evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "\t//evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/runs/..//evil.example",
  "/%2e%2e//evil.example",
  "/%2e//evil.example",
  "javascript:alert(1)",
  "https://handrail.example.com@evil.example",
  "//handrail.example.com@evil.example",
  "//[",
])("leads to no other site: %j", (asked) => {
  expect(ownPath(asked, ORIGIN)).toBe("/");
});
