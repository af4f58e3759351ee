import { createLogger } from "./log";

type Closer = { name: string; close: () => Promise<unknown> | unknown };

/**
 * Kept on globalThis because Next bundles the instrumentation hook and the routes separately: each has its own module.
 */
const shared = globalThis as { handrailShutdown?: { closers: Closer[]; done?: Promise<void> } };
shared.handrailShutdown ??= { closers: [] };
const state = shared.handrailShutdown;

/** Registers what has to be closed before the process ends. The last registered is closed first. */
export function onShutdown(name: string, close: Closer["close"]): void {
  state.closers.push({ name, close });
}

/** Closes everything once, however often it is called. One closer's failure does not keep the others from closing. */
export function shutdown(): Promise<void> {
  state.done ??= closeAll();
  return state.done;
}

async function closeAll(): Promise<void> {
  for (const { name, close } of state.closers.splice(0).reverse()) {
    try {
      await close();
    } catch (error) {
      createLogger("shutdown").error(error, `closing ${name} failed`);
    }
  }
}
