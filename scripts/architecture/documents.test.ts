import { expect, test } from "vitest";
import { findMissingPaths, textOfToday } from "./documents";

test("a document may name, and link to, only what exists", () => {
  const text = [
    "See `lib/engine/run.ts`, [Access](access.md#tokens), [the web](https://example.com/a.md) and `lib/*.ts`,",
    "`lib/gone/`, `GONE.md` and `biome.json`,",
    "![Runs](pictures/gone.png) and [up](../ARCHITECTURE.md).",
  ].join("\n");
  const there = ["lib/engine/run.ts", "docs/access.md", "biome.json", "ARCHITECTURE.md"];
  const missing = findMissingPaths("docs/audit.md", text, (path) => there.includes(path));
  expect(missing.map(({ line, does }) => `${line} ${does}`)).toEqual([
    "2 names lib/gone/, which does not exist",
    "2 names GONE.md, which does not exist",
    "3 names docs/pictures/gone.png, which does not exist",
  ]);
});

test("of the changelog, only what is unreleased has to name files of today", () => {
  const text = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\n- Old.\n";
  expect(textOfToday("CHANGELOG.md", text)).toBe("# Changelog\n\n## Unreleased\n\n- New.\n\n");
  expect(textOfToday("README.md", text)).toBe(text);
});
