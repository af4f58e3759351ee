/** The workflows of the trials in a process with a wrong clock (HANDRAIL_FAULT_CLOCK): every date is affected. */
const HOUR_MS = 3_600_000;
/** How long a jumping clock is frozen between two jumps of two hours. */
const JUMP_EVERY_MS = 200;

const RealDate = Date;
const startedAt = RealDate.now();

const CLOCKS = {
  ahead: () => RealDate.now() + HOUR_MS,
  behind: () => RealDate.now() - HOUR_MS,
  jumping: () => RealDate.now() + (Math.floor(performance.now() / JUMP_EVERY_MS) % 2 === 0 ? HOUR_MS : -HOUR_MS),
  frozen: () => startedAt,
};
export type WrongClock = keyof typeof CLOCKS;
const now = CLOCKS[process.env.HANDRAIL_FAULT_CLOCK as WrongClock];

class WrongDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(given.length === 0 ? now() : given[0]);
  }
  static override now = now;
}
globalThis.Date = WrongDate as DateConstructor;

export { blobs, schedules, workflows } from "./flows/workflows";
