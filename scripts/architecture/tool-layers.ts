import type { Layer } from "./layer";

/** The command line, and what breaks things on purpose. */
export const tools: Layer[] = [
  {
    path: "cli/",
    mayImport: [
      "cli/",
      "lib/actions/words",
      "lib/api/client/",
      "lib/engine/",
      "lib/env-of-cli",
      "lib/filters/",
      "lib/format",
      "scripts/database/",
    ],
    mayImportTypes: ["lib/api/contract/"],
    packages: ["node:", "cli-progress", "cli-table3", "commander"],
    why: "The command line is a client of the HTTP API: it asks through the typed client, and decides nothing.",
  },
  {
    path: "cli/testing/",
    mayImport: ["cli/testing/", "lib/engine/", "lib/testing/"],
    packages: ["node:", "vitest", "zod"],
    why: "The cases of the command line start the program as people do: none of its code is theirs.",
  },
  {
    path: "cli/packaged/",
    mayImport: [
      "cli/",
      "lib/engine/",
      "lib/env",
      "lib/eslint/eslint",
      "lib/library/create-handrail",
      "lib/operator/runs/",
      "lib/store/",
      "lib/verify/",
      "lib/worker/main",
      "scripts/database/",
      "scripts/launch/",
      "scripts/postgres/binaries",
      "scripts/postgres/migrate-demo",
    ],
    mayImportTypes: ["lib/app"],
    packages: ["node:", "chokidar", "commander", "get-tsconfig", "jiti"],
    packageTypes: ["eslint"],
    why: "The command of the package finds app and database as the app does: it knows neither this repository's app nor its demo.",
  },
  {
    path: "proof/faults/",
    mayImport: ["proof/faults/", "lib/", "demo/", "scripts/"],
    why: "What breaks everything on purpose knows everything but the screens.",
  },
  {
    path: "proof/soak/",
    mayImport: [
      "proof/soak/",
      "proof/bench/figure",
      "proof/bench/latency",
      "proof/faults/random",
      "e2e/support/own-server",
      "lib/",
      "scripts/",
    ],
    why: "A soak runs the workers and the console as they are served: it has processes, ledgers and a judge, and none of the demo.",
  },
  {
    path: "proof/package/app/",
    mayImport: ["proof/package/app/"],
    packages: ["~", "handrail", "node:", "pg", "zod"],
    why: "The app that the package is tried in: it has nothing of this repository but the package.",
  },
  {
    path: "examples/",
    mayImport: ["examples/"],
    why: "An example is an app by itself: it has nothing of this repository but the package.",
  },
  {
    path: "proof/mutants/",
    mayImport: ["proof/mutants/", "lib/testing/"],
    packages: ["node:", "vitest"],
    why: "What breaks the engine's text on purpose reads it as text: it neither imports it nor runs it.",
  },
];
