import { isAlive } from "../../../scripts/postgres/run";
import { childrenOf } from "../../../scripts/postgres/server";

/**
 * Stops every process of an embedded database (SIGSTOP): it lives and does nothing. Returns a function that resumes it.
 * Linux.
 */
export async function hangServer(postmaster: number): Promise<() => void> {
  const signal = (pids: number[], name: NodeJS.Signals) => {
    for (const pid of pids.filter(isAlive)) signalIfThere(pid, name);
  };
  signal([postmaster], "SIGSTOP"); // it starts no others from here on
  const children = await childrenOf(postmaster);
  signal(children, "SIGSTOP");
  return () => signal([postmaster, ...children], "SIGCONT");
}

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended meanwhile
  }
}
