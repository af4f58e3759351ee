import type { Command } from "commander";
import { EXIT, type ExitCode } from "../exit-codes";
import { goOnWithoutReader } from "../output/reader";
import type { Screen } from "../output/screen";
import { report } from "./report";
import { type Globals, openSession, type Session, screenOf } from "./session";
import { Interrupted } from "./stops";

// biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
type Ended = Promise<ExitCode | void>;
/** As commander calls it: with the arguments, the options and the command. */
type Action<Args extends unknown[]> = (...given: [...Args, Command]) => Promise<void>;

/** The action of a command that asks the API. It ends with an exit code, whatever happens. */
export const withSession = <Args extends unknown[]>(work: (session: Session, ...args: Args) => Ended): Action<Args> =>
  withGlobals(async (globals, screen, ...args: Args) => {
    const stop = new AbortController();
    const interrupt = () => stop.abort();
    process.on("SIGINT", interrupt);
    try {
      return await work(openSession(globals, screen, stop.signal), ...args);
    } catch (error) {
      throw stop.signal.aborted ? new Interrupted() : error;
    } finally {
      process.off("SIGINT", interrupt);
    }
  });

/** The action of a command that asks no API. */
export const withScreen = <Args extends unknown[]>(work: (screen: Screen, ...args: Args) => Ended): Action<Args> =>
  withGlobals((_, screen, ...args: Args) => work(screen, ...args));

/**
 * The action of a command that serves until it is stopped. It goes on where nobody reads what it says. One that cannot begin ends:
 * the app's own modules may have opened what would keep a process that serves nothing.
 */
export const serving = <Args extends unknown[]>(work: (screen: Screen, ...args: Args) => Ended): Action<Args> =>
  withScreen(async (screen, ...args: Args) => {
    goOnWithoutReader();
    return work(screen, ...args).catch((error) => screen.end(report(error, screen)));
  });

/** The action of a command that asks the API only when it says so. */
export const withScreenAndSession = <Args extends unknown[]>(
  work: (screen: Screen, open: () => Session, ...args: Args) => Ended,
): Action<Args> =>
  withGlobals((globals, screen, ...args: Args) =>
    work(screen, () => openSession(globals, screen, new AbortController().signal), ...args),
  );

const withGlobals =
  <Args extends unknown[]>(work: (globals: Globals, screen: Screen, ...args: Args) => Ended): Action<Args> =>
  async (...given) => {
    const globals = (given.at(-1) as Command).optsWithGlobals<Globals>();
    const screen = screenOf(globals);
    try {
      process.exitCode = (await work(globals, screen, ...(given.slice(0, -1) as Args))) ?? EXIT.done;
    } catch (error) {
      process.exitCode = report(error, screen);
    }
  };
