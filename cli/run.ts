import { CommanderError } from "commander";
import { EXIT } from "./exit-codes";
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

/** `handrail runs list | head -1`: nobody reads the rest. */
function endWithTheReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
}
