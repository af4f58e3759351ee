import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { configDefaults, defineConfig } from "vitest/config";
import { notThisTime } from "./lib/testing/sample";
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

/** Each takes ten seconds or more: one in six is run by each `npm test`, and all by `npm test -- --whole`. */
const LONG_TESTS = [
  "cli/cli.db",
  "components/pages/run-page/copy-as/as-test.db",
  "demo/workflows/effects.crash",
  "demo/workflows/notifications.crash",
  "demo/workflows/profile-image/slots.crash",
  "demo/workflows/retention.crash",
  "demo/workflows/rollups.crash",
  "demo/workflows/schedules.crash",
  "lib/api/endpoints/operation-report.db",
  "lib/api/http/console-killed.crash",
  "lib/api/remote/any-language.crash",
  "lib/api/remote/code-elsewhere.crash",
  "lib/api/remote/code-elsewhere.db",
  "lib/api/remote/drives.crash",
  "lib/api/remote/python-package.db",
  "lib/api/remote/remote-lost-answers.db",
  "lib/api/remote/remote-queues.db",
  "lib/operator/actions/answer-approval.db",
  "lib/operator/actions/pause-children.db",
  "lib/operator/actions/rerun-on-version.db",
  "lib/operator/metrics/cardinality.db",
  "lib/operator/metrics/metrics.db",
  "lib/operator/operations/operation.crash",
  "lib/operator/probes/probe.crash",
  "lib/operator/operations/operations.db",
  "lib/operator/workflows/intake.db",
  "lib/store/database/pooler.db",
  "lib/store/migrations/beside-others.db",
  "lib/store/migrations/live-migrations.db",
  "lib/verify/planted.db",
  "lib/verify/verify.db",
  "lib/worker/loop/drive.db",
  "lib/worker/loop/machines.crash",
  "lib/worker/loop/neighbours.crash",
  "lib/worker/loop/poison.crash",
  "lib/worker/loop/upgrade.crash",
  "lib/worker/loop/zombie.crash",
  "lib/worker/passes/branches.db",
  "lib/worker/passes/large-and-long.db",
  "lib/worker/passes/log.db",
  "lib/worker/passes/payload-keys.db",
  "lib/worker/passes/step-calls.db",
  "lib/worker/queues/queue-totals.db",
  "lib/worker/queues/queues.db",
  "lib/worker/records/lost-answers.db",
  "lib/worker/schedules/fire-schedules.db",
  "lib/worker/schedules/schedule-lost-answers.db",
  "lib/worker/steps/retries.db",
  "lib/worker/steps/values.db",
  "lib/worker/transactions/own-commit.db",
  "lib/worker/transactions/run-transaction.db",
  "lib/worker/versions/drift.db",
  "lib/worker/versions/versions.db",
  "lib/worker/waits/events-lost-answers.db",
  "lib/worker/waits/events-races.db",
  "proof/attacks/exports.db",
  "proof/attacks/held-up.db",
  "proof/attacks/hostile-values.db",
  "proof/attacks/injection.db",
  "proof/attacks/oracle-times.db",
  "proof/attacks/placed-texts.db",
  "proof/attacks/resources.db",
  "proof/attacks/routes.db",
  "proof/attacks/sign-in.db",
  "proof/attacks/step-names.db",
  "proof/bench/console/plans.db",
  "proof/faults/forgetful-failover.crash",
  "proof/faults/patroni/patroni.crash",
  "proof/faults/property.crash",
  "proof/observability/observability.db",
  "proof/observability/outage.crash",
  "proof/package/adopt/adopt.db",
  "proof/package/upgrade.crash",
  "proof/soak/soak.crash",
  "proof/verify/generated.db",
  "scripts/launch/as-pid-1.crash",
  "scripts/launch/deploy-kit",
  "scripts/launch/launcher.crash",
  "scripts/launch/production.crash",
  "scripts/postgres/embedded.db",
].map((file) => `${file}.test.ts`);

const NO_PROJECT_TESTS = [
  ...configDefaults.exclude,
  "**/.next/**",
  "**/.handrail/**",
  "e2e/**",
  ...notThisTime(6, LONG_TESTS),
];
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
