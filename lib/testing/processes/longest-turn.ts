import { readFileSync } from "node:fs";

const PAUSE_MS = 4;
const NS_PER_MS = 1_000_000;

/**
 * Watches how long the event loop is held, in processor time of the thread that runs it: what other processes of a busy machine
 * take does not count. Answers the longest turn since it was asked last.
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

/** In milliseconds. Elsewhere than on Linux of the whole process, which is more. */
function threadTime(): number {
  if (process.platform === "linux") {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / NS_PER_MS;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
