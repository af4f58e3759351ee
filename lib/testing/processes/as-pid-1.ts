import { spawnSync } from "node:child_process";

/** As a container does: what follows is process 1 of a namespace, and all that is left ends with it. */
export const AS_PID_1 = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child=SIGKILL"];

export const canBePid1 =
  process.platform === "linux" && spawnSync(AS_PID_1[0] as string, [...AS_PID_1.slice(1), "true"]).status === 0;
