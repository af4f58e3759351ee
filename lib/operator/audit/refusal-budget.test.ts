import { expect, it } from "vitest";
import { RefusalBudget } from "./refusal-budget";

it("writes 60 a minute of one caller and 600 of all, and counts the omitted ones in the next row", () => {
  let now = 1_000_000;
  const budget = new RefusalBudget(() => now);
  const taken = (caller: string, times: number) =>
    Array.from({ length: times }, () => budget.take(caller)).filter((omitted) => omitted !== null).length;
  expect(taken("mia", 100)).toBe(60);
  expect(budget.take("ben")).toBe(40);
  expect(budget.take("ben")).toBe(0);
  const many = Array.from({ length: 1_000 }, (_, n) => budget.take(`bot-${n}`)).filter((omitted) => omitted !== null);
  expect(many).toHaveLength(600 - 62);
  now += 60_000;
  expect(budget.take("mia")).toBe(1_000 - many.length);
  expect(budget.take("mia")).toBe(0);
});
