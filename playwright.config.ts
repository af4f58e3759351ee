import { defineConfig, devices } from "@playwright/test";
import { serverEnvironment } from "./e2e/support/server";
import { notThisTime } from "./lib/testing/sample";
import { findTestChromium } from "./scripts/test/chromium";

const environment = await serverEnvironment();
const baseURL = `http://127.0.0.1:${environment.PORT}`;

/** A step waits for a busy machine rather than for a failure. */
const SECOND_MS = 1_000;

/** Starts from the demo as it is seeded, and puts it in order: it goes first. */
const GUIDE = "**/follow-the-guide.spec.ts";

/** They leave the sandbox's services alone, so that those who put these in trouble need not wait for them. */
const BESIDE = [
  "a-viewer-is-refused",
  "answer-a-question",
  "attack-the-screens",
  "be-somebody-else",
  "change-limits",
  "closed-act-says-why",
  "empty-loading-error-states",
  "filter-runs",
  "find-by-business-key",
  "headers",
  "live-list",
  "open-by-a-link",
  "operate-a-schedule",
  "page-through-runs",
  "pictures",
  "read-from-a-standby",
  "read-the-events",
  "read-the-log",
  "read-the-trace",
  "save-a-view",
  "say-how-fresh-it-is",
  "search-the-logs",
  "see-the-fleet",
  "send-an-event",
  "show-masked-values",
  "sign-in",
  "sign-in-with-provider",
  "start-a-run",
  "start-the-first-run",
  "step-through-a-run",
  "tell-people-outside",
  "watch-the-flow",
].map((spec) => `**/${spec}.spec.ts`);

/** Like others, or seldom changed: one in four is run by each `npm test`, and all by `npm test -- --whole`. */
const IN_TURN = [
  "act-on-selected-runs",
  "alert-rules",
  "any-language",
  "attack-the-screens",
  "cancel-run",
  "close-intake",
  "compensate-run",
  "empty-loading-error-states",
  "filter-runs",
  "find-by-business-key",
  "follow-a-failed-child",
  "live-list",
  "look-after-a-problem",
  "look-into-a-tree",
  "on-the-phone",
  "open-by-a-link",
  "operate-a-schedule",
  "pause-and-resume",
  "probe-a-problem",
  "prove-nothing-happened-twice",
  "read-from-a-standby",
  "read-the-audit",
  "read-the-timeline",
  "repair-an-outage-in-bulk",
  "rerun-from-chosen-step",
  "save-a-view",
  "say-how-fresh-it-is",
  "search-the-logs",
  "settle-unknown-ask-the-receiver",
  "settle-unknown-did-not-happen",
  "settle-unknown-it-happened",
  "show-masked-values",
  "sign-in-with-provider",
  "skip-failed-step",
  "snooze-a-run",
  "start-a-new-run",
  "start-a-run",
  "start-the-first-run",
  "step-through-a-run",
  "tell-people-outside",
  "turn-a-run-into-a-test",
  "two-people-agree",
  "watch-workers",
  "work-through-the-inbox",
].map((spec) => `**/${spec}.spec.ts`);

const LATER = notThisTime(4, IN_TURN);

export default defineConfig({
  testDir: "./e2e",
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  timeout: 90 * SECOND_MS,
  expect: { timeout: 15 * SECOND_MS },
  reporter: "list",
  // Pictures are in the folders that e2e/looks/pictures.spec.ts names.
  snapshotPathTemplate: "{arg}{ext}",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    locale: "en-GB", // numbers and times as the specs and the pictures have them
    baseURL,
    // Nothing fades in: what has come is there.
    contextOptions: { reducedMotion: "reduce" },
    trace: { mode: process.env.CI ? "on-first-retry" : "retain-on-failure", screenshots: false },
    launchOptions: {
      executablePath: findTestChromium(),
      args: [
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--font-render-hinting=none", // letters stand where they stand in a window
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // One worker each: the faults of the sandbox meet everybody, so that the specs of a project take turns.
  projects: [
    { name: "guide", testMatch: GUIDE, workers: 1 },
    { name: "gateway", testIgnore: [GUIDE, ...BESIDE, ...LATER], dependencies: ["guide"], workers: 1 },
    { name: "beside", testMatch: BESIDE, testIgnore: LATER, dependencies: ["guide"], workers: 1 },
  ],
  webServer: {
    // Not through npm, which would pass on a signal that the whole group has had already.
    command: "node --import tsx scripts/run.ts demo",
    env: environment,
    wait: { stdout: /Handrail is running/ }, // said when the demo's data are there
    timeout: 300 * SECOND_MS, // it may have to build first
    gracefulShutdown: { signal: "SIGTERM", timeout: 20 * SECOND_MS },
    stdout: "pipe",
  },
});
