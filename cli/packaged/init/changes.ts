import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { configsIn } from "../config/find-config";
import { withScripts } from "./scripts";
import type { SeenApp } from "./see-app";
import { filesOf, scriptsOf, type Written } from "./templates";

const EXAMPLE = "DATABASE_URL=postgresql://user:password@127.0.0.1:5432/app\n";

/** What `handrail init` would do. */
export interface Changes {
  written: Written[];
  /** What it leaves as it is, a sentence each. */
  left: string[];
}

export function changesOf(app: SeenApp & { typescript: boolean }): Changes {
  const [ours, ...others] = [ourFiles(app), manifest(app), example(app), ignored(app), rules(app)];
  const written = [...(ours?.written ?? []), ...others.flatMap((one) => one.written)];
  return { written, left: [...(ours?.left ?? []), ...others.flatMap((one) => one.left)] };
}

export function carryOut({ folder }: SeenApp, { written }: Changes): void {
  for (const { file, text } of written) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

/** An app that has a configuration has its own workflows. */
function ourFiles(app: SeenApp & { typescript: boolean }): Changes {
  const files = filesOf(app);
  const [config] = configsIn(app.folder);
  if (config) {
    const name = path.relative(app.folder, config);
    const isOurs = files.some(({ file, text }) => file === name && text === read(config));
    return { written: [], left: isOurs ? [] : [`${name} is there: no workflow was written beside it.`] };
  }
  const isThere = ({ file }: Written) => existsSync(path.join(app.folder, file));
  return {
    written: files.filter((one) => !isThere(one)),
    left: files.filter(isThere).map(({ file }) => `${file} is there, and stays as it is.`),
  };
}

function manifest(app: SeenApp & { typescript: boolean }): Changes {
  const file = "package.json";
  const scripts = scriptsOf(app);
  if (!app.manifest) {
    const text = JSON.stringify({ name: "app", private: true, type: "module", scripts }, null, 2);
    return { written: [{ file, text: `${text}\n` }], left: [] };
  }
  const { text, scripts: there } = app.manifest;
  const changed = withScripts(text, scripts);
  const left = Object.entries(scripts)
    .filter(([name, script]) => there[name] !== undefined && there[name] !== script)
    .map(([name]) => `The script "${name}" of package.json is there, and stays as it is.`);
  if (changed === null) left.push(`package.json gets no scripts: write them yourself, ${JSON.stringify(scripts)}.`);
  return { written: changed === null || changed === text ? [] : [{ file, text: changed }], left };
}

const example = ({ folder }: SeenApp): Changes =>
  withLine(folder, ".env.example", /^\s*(export\s+)?DATABASE_URL\s*=/m, EXAMPLE);

/** What `handrail dev` and workers keep there is no part of the app. */
const ignored = ({ folder }: SeenApp): Changes =>
  withLine(folder, ".gitignore", /^\/?\.handrail\/?\s*$/m, ".handrail/\n");

/** An app that lints by itself adds the rules by itself. */
function rules({ folder }: SeenApp): Changes {
  const config = existsSync(folder) && readdirSync(folder).find((name) => /^eslint\.config\.[cm]?[jt]s$/.test(name));
  if (!config || read(path.join(folder, config)).includes("handrail/eslint")) return { written: [], left: [] };
  return {
    written: [],
    left: [
      `${config} stays as it is: add \`recommended\` to its list, of \`import { recommended } from "handrail/eslint";\`.`,
    ],
  };
}

function withLine(folder: string, file: string, there: RegExp, line: string): Changes {
  const before = read(path.join(folder, file));
  if (there.test(before)) return { written: [], left: [] };
  const separate = before === "" || before.endsWith("\n") ? "" : "\n";
  return { written: [{ file, text: `${before}${separate}${line}` }], left: [] };
}

const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
