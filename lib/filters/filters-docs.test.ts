import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ATTENTIONS, RUN_STATUSES } from "../engine/runs/run";
import { FIELDS } from "./fields";
import { parseFilter, printFilter } from "./language";

const page = readFileSync("docs/console/filters.md", "utf8");
const examples = (/```filter\n([\s\S]*?)```/.exec(page)?.[1] ?? "").trim().split("\n");

it.each(examples)("the example %s is read, and written back unchanged", (example) => {
  const { faults, ...query } = parseFilter(example);
  expect(faults).toEqual([]);
  expect(printFilter(query)).toBe(example);
});

it("the page has every field, and every status and reason", () => {
  expect(examples.length).toBeGreaterThan(5);
  for (const field of FIELDS) expect(page).toContain(`\`${field}:\``);
  for (const value of [...RUN_STATUSES, ...ATTENTIONS]) expect(page).toContain(`\`${value}\``);
});
