import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "./workflow";
import { codeFor } from "./workflow-versions";

const of = (version: number) => defineWorkflow({ name: "order", input: z.object({}), version }, async () => undefined);
const versionFor = (have: number[], run: { version?: number; codeVersion?: number; chosenVersion?: number }) =>
  codeFor(have.map(of), { workflow: "order", version: 1, codeVersion: null, chosenVersion: null, ...run })?.version;

it("the code for a run is the chosen version and no other, or the one that took it up last, or its own, or the newest", () => {
  expect(versionFor([1, 2, 3], {})).toBe(1);
  expect(versionFor([1, 2, 3], { codeVersion: 2 })).toBe(2);
  expect(versionFor([1, 2, 3], { codeVersion: 2, chosenVersion: 1 })).toBe(1);
  expect(versionFor([2, 3], {})).toBe(3);
  expect(versionFor([2, 3], { chosenVersion: 1 })).toBeUndefined();
});
