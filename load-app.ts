import type { App } from "./lib/app";
import { readEnv } from "./lib/env";

/**
 * The app of handrail.config.ts. Where HANDRAIL_DEMO is on, with the sample workflows beside its own, the demo's blob store unless it
 * has one, and the demo's client in transactions; a service of the app has precedence over the sample of that name. Nothing else leads to the demo.
 */
export async function loadApp(): Promise<App> {
  const { default: app } = await import("./handrail.config");
  if (!readEnv().demo) return app;
  const { default: demo } = await import("./demo/app");
  return {
    ...demo,
    ...app,
    workflows: [...app.workflows, ...demo.workflows],
    schedules: [...(app.schedules ?? []), ...(demo.schedules ?? [])],
    alerts: [...(app.alerts ?? []), ...(demo.alerts ?? [])],
    services: { ...demo.services, ...app.services },
    transactions: demo.transactions,
  };
}
