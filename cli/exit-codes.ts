/** What the process ends with (docs/cli.md). */
export const EXIT = {
  done: 0,
  /** The API refused or failed, or an action was not carried out. */
  refused: 1,
  /** The command is wrong: nothing was sent. */
  usage: 2,
  /** `wait` and `watch`: the run ended, and not as completed. */
  runFailed: 3,
  noAnswer: 4,
  timedOut: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
