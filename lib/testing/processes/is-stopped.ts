import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Whether a process was stopped by SIGSTOP. */
export async function isStopped(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "stat=", "-p", `${pid}`]);
  return stdout.trim().startsWith("T");
}
