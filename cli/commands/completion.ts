import { Argument, type Command } from "commander";
import { completionScript, SHELLS, type Shell } from "../completion/shells";
import { placesOf } from "../completion/tree";
import { withScreen } from "../session/act";

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print the script that completes these commands in your shell")
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .action(
      withScreen(async (screen, shell: Shell) => {
        screen.text(completionScript(shell, placesOf(program)));
      }),
    );
}
