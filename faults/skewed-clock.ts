/** The sample workflows in a process whose clock is wrong by HANDRAIL_FAULT_SKEW_MS: everything that asks for the date is told so. */
const skewMs = Number(process.env.HANDRAIL_FAULT_SKEW_MS);
const RealDate = Date;

class SkewedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + skewMs);
    else super(given[0]);
  }
  static override now(): number {
    return RealDate.now() + skewMs;
  }
}
globalThis.Date = SkewedDate as DateConstructor;

export { workflows } from "../workflows/index";
