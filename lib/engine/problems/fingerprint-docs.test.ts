import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { patternOf } from "./fingerprint";

const PAGE = readFileSync(new URL("../../../docs/console/problems.md", import.meta.url), "utf8");

it("the page's table of messages matches the rule", () => {
  const documented = [...PAGE.matchAll(/^\| `(.+)` \| `(.+)` \|$/gm)].map((row) => row.slice(1, 3) as [string, string]);
  expect(documented.length).toBeGreaterThan(3);
  for (const [message, pattern] of documented) expect(patternOf({ name: "Error", message })).toBe(pattern);
});
