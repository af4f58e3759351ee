import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ACTIONS, actionsOf, may, ROLES } from "./permission";

const PAGE = readFileSync(new URL("../../../docs/access.md", import.meta.url), "utf8");

it("the page's table of actions matches the rule", () => {
  const documented = [...PAGE.matchAll(/^\| `([a-z_.]+)` \| ([a-z ]+) \| (one|all) \|$/gm)].map((row) =>
    row.slice(1, 4),
  );
  const bound = { actions: new Set(ACTIONS), workflows: ["one"] };
  const ruled = ACTIONS.map((action) => [
    action,
    ROLES.find((role) => actionsOf([role]).has(action)) ?? "granted apart",
    may(bound, action, ["one"]).open ? "one" : "all",
  ]);
  expect(documented).toEqual(ruled);
});
