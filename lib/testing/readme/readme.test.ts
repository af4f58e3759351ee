import { expect, it } from "vitest";
import { fileText, snippetsOf } from "../doc-snippets";

it("the workflow of README.md is a file that compiles", () => {
  const file = fileText(new URL("order-fulfilment.ts", import.meta.url).href);
  expect(
    snippetsOf("../README.md").map((code) => code.replace('"handrail"', '"../../engine/workflows/workflow"')),
  ).toEqual([file]);
});
