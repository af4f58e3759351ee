import path from "node:path";

const OF_NODE = /\(?node:|^\s*at (?:async )?(?:new )?(?:Promise|Array)\b/;
const OF_PACKAGES = /[\\/]node_modules[\\/]/;
const PLACE = /\(?((?:file:\/\/)?(?:[A-Za-z]:)?[^()\s:]+):(\d+):\d+\)?$/;

/** The frames above a function. @param below is left out, with what it called */
export function framesAbove(below: (...given: never[]) => unknown): string[] {
  const at: { stack?: string } = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 20;
  Error.captureStackTrace(at, below);
  const frames = (at.stack ?? "").split("\n").slice(1);
  Error.stackTraceLimit = stackTraceLimit;
  return frames.map((frame) => frame.trim());
}

const isAuthors = (frame: string) => PLACE.test(frame) && !OF_NODE.test(frame) && !OF_PACKAGES.test(frame);

/** The author's line, as `workflows/order.ts:41`; null when none of these frames is theirs. */
export function lineIn(frames: readonly string[]): string | null {
  const frame = frames.find(isAuthors);
  return frame ? placeOf(frame) : null;
}

/** The same, when the author's code made the call itself; null for a call that a package made. */
export function directLineIn(frames: readonly string[]): string | null {
  const caller = frames.find((frame) => PLACE.test(frame) && !OF_NODE.test(frame));
  return caller && isAuthors(caller) ? placeOf(caller) : null;
}

function placeOf(frame: string): string {
  const [, file = "", line] = PLACE.exec(frame) ?? [];
  const plain = file.startsWith("file://") ? decodeURIComponent(new URL(file).pathname) : file;
  const relative = path.relative(process.cwd(), plain);
  return `${relative.startsWith("..") ? plain : relative.replaceAll("\\", "/")}:${line}`;
}
