import { expect, it } from "vitest";
import { Gathered } from "./gathered";

it("what comes while a call is under way shares the next one, up to a number, each with its own result", async () => {
  const calls: number[][] = [];
  const doubled = new Gathered(async (items: number[]) => {
    calls.push(items);
    await new Promise((resolve) => setImmediate(resolve));
    return items.map((item) => 2 * item);
  }, 3);
  expect(await Promise.all([1, 2, 3, 4, 5].map((item) => doubled.do(item)))).toEqual([2, 4, 6, 8, 10]);
  expect(await doubled.do(6)).toBe(12);
  expect(calls).toEqual([[1, 2, 3], [4, 5], [6]]);
});

it("an error refuses those of its call, and the next call works", async () => {
  let calls = 0;
  const failing = new Gathered(async (items: number[]) => {
    if (++calls === 1) throw new Error("lost");
    return items;
  }, 2);
  const settled = await Promise.allSettled([1, 2, 3].map((item) => failing.do(item)));
  expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});
