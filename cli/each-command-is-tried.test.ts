import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { OF_AN_APP } from "./packaged/commands";
import { makeProgram } from "./program";

/** The words of each command that does something: `runs list`. */
const wordsOf = (command: Command, before = ""): string[] =>
  command.commands.flatMap((one) =>
    one.commands.length === 0 ? [`${before}${one.name()}`] : wordsOf(one, `${before}${one.name()} `),
  );

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const textsIn = (folder: string, files: RegExp) =>
  readdirSync(path.join(ROOT, folder))
    .filter((name) => files.test(name))
    .map((name) => readFileSync(path.join(ROOT, folder, name), "utf8"))
    .join("\n");

const here = wordsOf(makeProgram({ findHome: () => Promise.reject(new Error("Nothing is run here.")) }));
const ofAnApp = wordsOf(makeProgram(OF_AN_APP));

const untried = (commands: readonly string[], text: string, as: (words: string) => RegExp) =>
  commands.filter((words) => !as(words).test(text));

it("each command is run on a terminal by the tests of the command line", () => {
  expect(here.length).toBeGreaterThan(30);
  const terminal = textsIn("cli/testing", /^terminal.*\.ts$/);
  // As `$HANDRAIL runs list`, `${TSX} migrate`, or in a table of such words.
  expect(untried(here, terminal, (words) => new RegExp(`(\\$HANDRAIL |\\$\\{TSX\\} |")${words}\\b`))).toEqual([]);
});

it("each command that the package alone has is run by the tests of the package", () => {
  expect(here.filter((words) => !ofAnApp.includes(words))).toEqual([]);
  const own = ofAnApp.filter((words) => !here.includes(words));
  expect(own).toContain("worker");
  const text = textsIn("proof/package", /\.ts$/);
  expect(untried(own, text, (words) => new RegExp(`(\\["|handrail\\(")${words}\\b`))).toEqual([]);
});
