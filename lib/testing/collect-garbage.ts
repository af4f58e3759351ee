import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** For what must not depend on when Node collects its garbage. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
