import { expect, it } from "vitest";
import { withoutRows } from "./log";

it("an error of the database is told without the row that it quotes", () => {
  const detail = "Failing row contains (canary).";
  const told = withoutRows(Object.assign(new Error("violates a constraint"), { code: "23514", detail }));
  expect(told).toMatchObject({ type: "Error", message: "violates a constraint", code: "23514" });
  expect(JSON.stringify(told)).not.toContain("canary");
});
