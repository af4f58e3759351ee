import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const lines = (text: string) => text.split("\n").map((line) => line.trim());

it("the snippet of docs/children.md is a sample workflow's code", () => {
  const [, snippet = ""] = /```ts\n([\s\S]+?)```/.exec(readFileSync("docs/children.md", "utf8")) ?? [];
  const sample = readFileSync("demo/workflows/batch-fulfilment/batch-fulfilment.ts", "utf8");
  expect(lines(sample).join("\n")).toContain(lines(snippet.trim()).join("\n"));
});
