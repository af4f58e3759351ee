import { setFaultHandler } from "../../worker/fault-points";
import type { Fault } from "./crash";

/** From now on this process ends, or stops, at the fault, by a real signal to itself. */
export function strikeAt({ point, detail: only, passage = 1, signal = "SIGKILL" }: Fault): void {
  let passages = 0;
  setFaultHandler((passed, detail) => {
    if (passed !== point || (only !== undefined && only !== detail)) return;
    if (++passages === passage) process.kill(process.pid, signal);
  });
}
