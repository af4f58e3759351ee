import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { whyNotApplicable } from "./mutant";
import { mutants } from "./mutants";

const project = fileURLToPath(new URL("../..", import.meta.url));

// The mutants themselves are tried by `npm run mutants` alone: without this, a refactoring would take them out of use unnoticed.
it.each(mutants)("$name can be applied to $file, and its tests exist", (mutant) => {
  expect(whyNotApplicable(mutant, readFileSync(`${project}${mutant.file}`, "utf8"))).toBeUndefined();
  for (const test of mutant.killedBy) expect(existsSync(`${project}${test}`), test).toBe(true);
});

it("has no two mutants of one name", () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});
