import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ESLint, Linter } from "eslint";
import { recommended } from "../../../lib/eslint/eslint";
import type { Screen } from "../../output/screen";

const OURS = /^handrail\//;
const JAVASCRIPT = ["**/*.{js,mjs,cjs,jsx}"];
const TYPESCRIPT = ["**/*.{ts,mts,cts,tsx}"];
/** What an app may read TypeScript with, and what has the parser in it. */
const PARSERS = ["typescript-eslint", "@typescript-eslint/parser"];

/** Checks files of the app, one after the other, and prints what is new. */
export type Lint = (files: readonly string[]) => Promise<void>;

/**
 * What the rules of handrail/eslint find in files that were saved, with the app's own ESLint. An app without ESLint hears
 * nothing. One that has chosen the rules by itself hears of those that it has on.
 */
export function openLinting(screen: Screen, folder: string): Lint {
  const checked = new Map<string, string>();
  const app = createRequire(path.join(folder, "package.json"));
  const opening = linterOf(app, folder).catch(() => undefined);
  let running = Promise.resolve();
  let hasFailed = false;

  const check = async (file: string) => {
    const lint = await opening;
    const code = await readFile(file, "utf8").catch(() => undefined);
    if (!lint || code === undefined || checked.get(file) === code) return;
    checked.set(file, code);
    for (const { line, column, message } of await lint(file)) {
      const where = `${path.relative(folder, file)}:${line}:${column}`;
      screen.line(`${screen.paint("yellow", "!")} ${message}`);
      screen.line(
        `    ${screen.paint("yellow", where)}  ${screen.paint("gray", code.split("\n")[line - 1]?.trim() ?? "")}`,
      );
    }
  };
  const failed = (error: Error) => {
    if (!hasFailed) screen.line(screen.paint("gray", `ESLint does not check the workflows: ${error.message}`));
    hasFailed = true;
  };
  return (files) => {
    running = running.then(async () => {
      for (const file of files) await check(file).catch(failed);
    });
    return running;
  };
}

type Find = (file: string) => Promise<Linter.LintMessage[]>;

/** @throws without ESLint 9 or newer */
async function linterOf(app: NodeJS.Require, cwd: string): Promise<Find> {
  const loaded = await load(app, "eslint");
  const { ESLint: Given } = loaded as { ESLint: new (options: ESLint.Options) => ESLint };
  const options: ESLint.Options = {
    cwd,
    ruleFilter: ({ ruleId }) => OURS.test(ruleId),
    errorOnUnmatchedPattern: false,
    warnIgnored: false,
  };
  const theirs = new Given(options);
  const theirsAndOurs = new Given({ ...options, overrideConfig: [recommended] });
  const ours = new Given({ ...options, overrideConfigFile: true, overrideConfig: await withParser(app) });
  const linterFor = async (file: string): Promise<ESLint | undefined> => {
    if ((await theirs.findConfigFile(file)) === undefined) return ours;
    const config: Linter.Config | undefined = await theirs.calculateConfigForFile(file);
    if (config === undefined) return undefined; // ignored
    return Object.keys(config.rules ?? {}).some((rule) => OURS.test(rule)) ? theirs : theirsAndOurs;
  };
  return async (file) => {
    const results = await (await linterFor(file))?.lintFiles([file]);
    // A file that cannot be read is what the worker says.
    return (results ?? []).flatMap(({ messages }) => messages).filter(({ ruleId }) => ruleId && OURS.test(ruleId));
  };
}

/** For an app that has ESLint and no configuration. Without a parser of TypeScript, JavaScript alone is read. */
async function withParser(app: NodeJS.Require): Promise<Linter.Config[]> {
  const found: Linter.Config[] = [{ ...recommended, files: JAVASCRIPT }];
  for (const name of PARSERS) {
    const loaded = (await load(app, name).catch(() => undefined)) as Record<string, unknown> | undefined;
    const parser = (loaded?.parser ?? loaded) as Linter.Parser | undefined;
    if (parser) return [...found, { ...recommended, files: TYPESCRIPT, languageOptions: { parser } }];
  }
  return found;
}

/** A package of the app's, which may be written as either kind of module. */
async function load(app: NodeJS.Require, name: string): Promise<object> {
  const module = await import(pathToFileURL(app.resolve(name)).href);
  return module.default ?? module;
}
