import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./lib/testing/setup/longest-first";

/** Generous on purpose: a test may wait for a busy machine, and a hung one is still found. */
const SECOND_MS = 1_000;

/**
 * Files at a time of the tests that wait for workers and leases about half of their time: one more than CI has cores, and no more,
 * so that none starves another. Database and crash tests share these places: at the end of neither a core has nothing to do.
 */
const WAITING_FILES = 3;

const DATABASE_TESTS = "**/*.db.test.ts";
const CRASH_TESTS = "**/*.crash.test.ts";
const NO_PROJECT_TESTS = [...configDefaults.exclude, "**/.next/**", "**/.handrail/**", "e2e/**"];
const STARTS_POSTGRES = ["./lib/testing/setup/postgres.global-setup.ts"];

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    setupFiles: ["./lib/testing/setup/audit-key.setup.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: [...NO_PROJECT_TESTS, DATABASE_TESTS, CRASH_TESTS],
          isolate: false,
          testTimeout: 20 * SECOND_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "ui",
          environment: "jsdom",
          include: ["**/*.test.tsx"],
          exclude: NO_PROJECT_TESTS,
          setupFiles: ["./lib/testing/setup/jsdom.setup.ts"],
          isolate: false, // a quarter of the time: a page and a module graph for each file cost more than the tests
          testTimeout: 20 * SECOND_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: [DATABASE_TESTS],
          exclude: NO_PROJECT_TESTS,
          globalSetup: STARTS_POSTGRES,
          testTimeout: 60 * SECOND_MS,
          hookTimeout: 60 * SECOND_MS,
          maxWorkers: WAITING_FILES,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "crash",
          include: [CRASH_TESTS],
          exclude: NO_PROJECT_TESTS,
          globalSetup: STARTS_POSTGRES,
          testTimeout: 300 * SECOND_MS,
          hookTimeout: 300 * SECOND_MS,
          maxWorkers: WAITING_FILES,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
