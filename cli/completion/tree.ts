import type { Command } from "commander";

/** What can follow the words of a command line. */
export interface Place {
  /** The commands so far: `runs list`; empty at the beginning. */
  path: string;
  /** What comes next, with what it does. */
  words: readonly { word: string; description: string }[];
}

/** Every place of the command line, from the commands themselves. */
export function placesOf(root: Command): Place[] {
  const globals = optionsOf(root);
  const visit = (command: Command, path: string): Place[] => {
    const commands = command.commands.map((one) => ({ word: one.name(), description: one.description() }));
    const options = command === root ? [] : optionsOf(command);
    const words = [...commands, ...options, ...globals];
    return [{ path, words }, ...command.commands.flatMap((one) => visit(one, `${path} ${one.name()}`.trim()))];
  };
  return visit(root, "");
}

const optionsOf = (command: Command) =>
  command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ word: long, description }] : []));
