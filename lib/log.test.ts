import { expect, it } from "vitest";
import { withoutRows } from "./log";

it("a database error is logged without the row that it quotes", () => {
  const detail = "Failing row contains (canary).";
  const logged = withoutRows(Object.assign(new Error("violates a constraint"), { code: "23514", detail }));
  expect(logged).toMatchObject({ type: "Error", message: "violates a constraint", code: "23514" });
  expect(JSON.stringify(logged)).not.toContain("canary");
});
