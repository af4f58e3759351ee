import { defineConfig, devices } from "@playwright/test";
import { serverEnvironment } from "./e2e/support/server";
import { findChromium } from "./scripts/test/chromium";

const environment = await serverEnvironment();
const baseURL = `http://127.0.0.1:${environment.PORT}`;

/** A step waits for a busy machine rather than for a failure: nothing is retried. */
const SECOND_MS = 1_000;

export default defineConfig({
  testDir: "./e2e",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  timeout: 90 * SECOND_MS,
  expect: { timeout: 15 * SECOND_MS },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    baseURL,
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: findChromium(),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "wide", testIgnore: "**/*.phone.spec.ts", use: { viewport: { width: 1440, height: 900 } } },
    {
      name: "phone",
      // What is tagged runs here as well; a file called *.phone.spec.ts runs only here.
      grep: /@phone|\.phone\.spec\.ts/,
      use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
  webServer: {
    // Not through npm, which would pass on a signal that the whole group has had already.
    command: "node --import tsx scripts/run.ts demo",
    env: environment,
    url: `${baseURL}/api/health/ready`,
    timeout: 300 * SECOND_MS, // it may have to build first
    gracefulShutdown: { signal: "SIGTERM", timeout: 20 * SECOND_MS },
    stdout: "pipe",
  },
});
