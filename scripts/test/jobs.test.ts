import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const JOBS = 15;
const SUFFIX = ".spec.ts";

/** Which specs do the job both ways, by their content. */
const done = new Map(Array.from({ length: JOBS }, (_, index) => [String(index + 1), [] as string[]]));
for (const file of readdirSync("e2e", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(SUFFIX))) {
  const numbers = [...readFileSync(join("e2e", file), "utf8").matchAll(/^job\((.*), \(\) => \{$/gm)].flatMap(
    ([, tags = ""]) => [...tags.matchAll(/@job-(\d+)/g)].map(([, number = ""]) => number),
  );
  for (const number of new Set(numbers)) done.get(number)?.push(basename(file, SUFFIX));
}

it("every job of docs/console/jobs.md has the specs that it names, each by keys alone and on a phone, and no others", () => {
  const rows = [...readFileSync("docs/console/jobs.md", "utf8").matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm)];
  const listed = new Map(
    rows.map(([, number, specs = ""]) => [number, [...specs.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort()]),
  );
  expect(listed).toEqual(new Map([...done].map(([number, specs]) => [number, specs.sort()])));
  expect([...done.values()].every((specs) => specs.length > 0)).toBe(true);
});
