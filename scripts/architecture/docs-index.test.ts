import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const GROUPS = ["Start", "Author", "Operate", "Console", "API", "Internals"];

const index = readFileSync("README.md", "utf8").split("## Documentation\n")[1] as string;

it("README.md lists every page of docs/ exactly once, in six groups", () => {
  const pages = ["docs", "docs/console", "docs/signals"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  );
  const linked = [...index.matchAll(/\]\((docs\/[^)]+\.md)\)/g)].map(([, page]) => page);
  expect([...linked].sort()).toEqual(pages.sort());
  expect([...index.matchAll(/^\*\*(.+)\*\*$/gm)].map(([, group]) => group)).toEqual(GROUPS);
});
