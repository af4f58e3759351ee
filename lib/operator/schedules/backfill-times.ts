import { HandrailError } from "../../engine/errors";
import { type Timing, timesBetween } from "../../engine/schedules/timing";

/** Maximum number of runs that one backfill starts. */
const MAX_BACKFILL_TIMES = 500;

export const unknownSchedule = (name: string) =>
  new HandrailError("unknown_schedule", `There is no schedule named "${name}".`);

/** The nominal times of the range of a backfill. @throws HandrailError `invalid_input` */
export function checkedTimes(
  timing: Timing,
  range: { from: string; to: string },
  { now, forgottenUntil }: { now: Date; forgottenUntil: Date | null },
): Date[] {
  const [from, to] = [new Date(range.from), new Date(range.to)];
  if (from > to) throw new HandrailError("invalid_input", "The range ends before it begins.");
  if (to > now) throw new HandrailError("invalid_input", "A backfill is about the past: the range ends in the future.");
  if (forgottenUntil && from < forgottenUntil)
    throw new HandrailError(
      "invalid_input",
      `Runs from before ${forgottenUntil.toISOString()} may have been deleted, so it is unknown which times were fired. Choose a later start.`,
    );
  const times = timesBetween(timing, from, to, MAX_BACKFILL_TIMES + 1);
  if (times.length > MAX_BACKFILL_TIMES)
    throw new HandrailError(
      "invalid_input",
      `The range has more than ${MAX_BACKFILL_TIMES} nominal times. Choose a shorter one.`,
    );
  return times;
}
