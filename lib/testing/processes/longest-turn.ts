import { readFileSync } from "node:fs";

const PAUSE_MS = 4;
const NS_PER_MS = 1_000_000;

/**
 * Measures how long the event loop is blocked, in processor time of its thread: other processes of a busy machine do
 * not count. Returns the longest turn since the last call.
 */
export function watchTurns(): () => number {
  let longest = 0;
  let before = threadTime();
  setInterval(() => {
    const now = threadTime();
    longest = Math.max(longest, now - before);
    before = now;
  }, PAUSE_MS).unref();
  return () => {
    const answer = longest;
    longest = 0;
    return answer;
  };
}

/** What the work takes of the same processor time, in milliseconds. */
export function processorTimeOf(work: () => void): number {
  const before = threadTime();
  work();
  return threadTime() - before;
}

/** In milliseconds. Except on Linux it is the whole process's time, which is more. */
function threadTime(): number {
  if (process.platform === "linux") {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / NS_PER_MS;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
