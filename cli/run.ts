import { CommanderError } from "commander";
import { EXIT } from "./exit-codes";
import { endWithTheReader } from "./output/reader";
import { makeProgram, type Surroundings } from "./program";

/** The command line of this process, to its end. */
export async function run(surroundings: Surroundings): Promise<void> {
  endWithTheReader();
  try {
    await makeProgram(surroundings).parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // It has written what is wrong, or the help that was asked for.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
}
