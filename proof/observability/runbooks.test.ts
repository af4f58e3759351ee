import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { OF_AN_APP } from "../../cli/packaged/commands";
import { makeProgram } from "../../cli/program";
import { DESTINATIONS } from "../../components/parts/page/destinations";
import { ENDPOINTS } from "../../lib/api/all-endpoints";

const text = readFileSync("docs/signals/runbooks.md", "utf8");
const sections = [...text.matchAll(/^## (Handrail\w+)$/gm)].map(([, name]) => name as string);
const followed = text.slice(text.indexOf("\n## When each was followed"));

it("what was followed is said with its date, the state that was made, and what it showed", () => {
  const rows = [...followed.matchAll(/^\| (Handrail\w+) \| (\d{4}-\d\d-\d\d) \| .{20,} \| .{10,} \|$/gm)];
  const names = rows.map(([, name]) => name);
  expect(names).toEqual(sections);
});

it("what a runbook says to type is a command with these options", () => {
  const program = makeProgram(OF_AN_APP);
  const wrong = [...text.matchAll(/npx handrail ([^`\n]+)/g)].flatMap(([typed, words = ""]) => {
    let command = program;
    for (const word of words.split(" ")) {
      const next = command.commands.find((one) => one.name() === word);
      if (next) command = next;
      else if (command === program) return [typed];
      else if (word.startsWith("--") && !command.options.some(({ long }) => long === word))
        return [`${typed}: ${word}`];
    }
    return [];
  });
  expect(wrong).toEqual([]);
  expect(text).toContain("npx handrail doctor");
});

it("the pages and the addresses that it names are there", () => {
  const pages = DESTINATIONS.flatMap(({ name, pages }) => [name, ...pages.map((page) => page.name)]);
  const named = [...text.matchAll(/^\d\. (?:Open )?\*(\w+)\*(?:, \*(\w+)\*)?[,:]/gm)].flatMap(([, ...names]) => names);
  expect(named.length).toBeGreaterThan(6);
  for (const name of named.filter((one) => one !== undefined)) expect([...pages, "Notifications"]).toContain(name);
  const paths = [...text.matchAll(/http:\/\/CONSOLE\/api(\/[\w/]+)/g)].map(([, path]) => path);
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) expect(ENDPOINTS.map((endpoint) => endpoint.path)).toContain(path);
});
