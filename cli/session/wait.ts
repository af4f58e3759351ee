import { setTimeout } from "node:timers/promises";
import { Interrupted } from "./stops";

/** @throws Interrupted at Ctrl-C */
export const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {
    throw new Interrupted();
  });
