import type { App } from "./app";
import type { openDrives } from "./serverless";

interface Registered {
  app: App;
  /**
   * Loads the worker of one call. By the module that registers the app: Next bundles modules separately, and a step's
   * error has to be of the classes that the worker compares it with.
   */
  loadDrives: () => Promise<{ openDrives: typeof openDrives }>;
}

/** On globalThis, since Next bundles modules separately. */
const shared = globalThis as { handrailApp?: Registered };

/** The app of this web process, from now on. */
export function registerApp(app: App): void {
  shared.handrailApp = { app, loadDrives: () => import("./serverless") };
}

export function registeredApp(): Registered {
  if (!shared.handrailApp) throw new Error("No app is registered: instrumentation.ts does it when the process starts.");
  return shared.handrailApp;
}

/** The app's own log, if it gives one. */
export const appLog = () => shared.handrailApp?.app.log;
