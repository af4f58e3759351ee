/** The command is wrong; `message` says what to write instead. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Handrail did not do what was asked; `message` says why. */
export class Refused extends Error {
  override name = "Refused";
}

/** What was waited for has not happened in time. */
export class TimedOut extends Error {
  override name = "TimedOut";
}

/** Ctrl-C. */
export class Interrupted extends Error {
  override name = "Interrupted";
}
