import { type Layer, OWN_FOLDER } from "./layer";
import { packaged } from "./package-layers";
import { screens } from "./screen-layers";
import { tools } from "./tool-layers";

/*
 * The import rules as a table: rules ← storage ← processes and people ← screens. The longest path that a file begins
 * with is its layer. Tests (`*.test.*`) may import anything.
 */

const rules: Layer[] = [
  {
    path: "lib/engine/",
    mayImport: ["lib/engine/"],
    packages: ["node:crypto", "cron-parser"],
    packageTypes: ["@standard-schema/spec"],
    why: "The engine is the rules alone: it must be provable without a database, a clock or a network.",
  },
  {
    path: "lib/store/",
    mayImport: ["lib/engine/", "lib/store/"],
    packages: ["pg", "uuid", "node:"],
    packageTypes: ["@prisma/client"],
    why: "The store turns rules into SQL; what runs them and who asks for them lie above it.",
  },
  {
    path: "lib/actions/",
    mayImport: ["lib/engine/", "lib/actions/", "lib/format"],
    mayImportTypes: ["lib/store/", "lib/operator/actions/toolbox", "lib/operator/audit/audited"],
    packages: [],
    packageTypes: ["zod"],
    why: "A browser loads the file of an action: statements reach its command as an argument.",
  },
];

const processes: Layer[] = [
  {
    path: "lib/traces/",
    mayImport: ["lib/engine/", "lib/traces/"],
    mayImportTypes: ["lib/store/"],
    packages: ["@opentelemetry/api"],
    why: "Spans are made in one place, by OpenTelemetry's API alone: the SDK is the app's.",
  },
  {
    path: "lib/blobs/",
    mayImport: ["lib/engine/", "lib/store/", "lib/blobs/"],
    packages: ["node:crypto"],
    why: "The app's blob store is called from one place, which announces, checks and seals what goes there.",
  },
  {
    path: "lib/worker/",
    mayImport: [
      "lib/engine/",
      "lib/store/",
      "lib/actions/",
      "lib/blobs/",
      "lib/worker/",
      "lib/traces/",
      "lib/env",
      "lib/log",
    ],
    packages: ["node:"],
    packageTypes: ["pg"],
    why: "The worker is a plain process over rules and store: it must run without Next, the console or this app's workflows.",
  },
  {
    path: "lib/worker/main",
    mayImport: [
      "lib/engine/",
      "lib/store/payloads",
      "lib/store/schema",
      "lib/library/open-worker",
      "lib/library/worker-",
      "lib/worker/loop/once-reachable",
      "lib/app",
      "lib/env",
      "lib/log",
    ],
    why: "The worker's process answers signals: it opens the same worker as a process that has Handrail within it.",
  },
  {
    path: "lib/operator/",
    mayImport: [
      "lib/engine/",
      "lib/store/",
      "lib/actions/",
      "lib/blobs/",
      "lib/operator/",
      "lib/access/",
      "lib/outbound/outgoing",
      "lib/outbound/receiver",
      "lib/traces/",
      "lib/log",
    ],
    why: "What a person may do is decided by the rules and written by the store; who is asking is settled before.",
  },
  {
    path: "lib/outbound/",
    mayImport: ["lib/engine/", "lib/outbound/"],
    packages: ["node:", "nodemailer"],
    why: "What goes out to addresses that people typed is sent from one place, which knows neither database nor who asks.",
  },
  {
    path: "lib/remote/",
    mayImport: ["lib/engine/", "lib/store/", "lib/worker/", "lib/operator/", "lib/remote/"],
    packages: ["zod", "node:vm"],
    packageTypes: ["@standard-schema/spec"],
    why: "Who owns runs from elsewhere is answered by the worker's own rules, one transaction an answer, with nothing kept here.",
  },
  {
    path: "lib/access/",
    mayImport: ["lib/engine/", "lib/store/", "lib/access/", "lib/env", "lib/log"],
    packages: ["node:", "@node-rs/argon2", "openid-client", "uuid"],
    why: "Who is asking, and which workflows a request is about, is found out without knowing what becomes of it.",
  },
];

const contract: Layer[] = [
  {
    path: "lib/api/contract",
    mayImport: ["lib/engine/", "lib/actions/", "lib/api/contract"],
    packages: ["zod"],
    why: "The contract ships to the browser: schemas and the engine's pure parts, nothing else.",
  },
  ...["lib/api/client/", "lib/api/hooks"].map((path) => ({
    path,
    mayImport: ["lib/engine/", "lib/api/contract", "lib/api/client/", "lib/api/hooks"],
    mayImportTypes: ["lib/api/endpoints"],
    packages: ["zod", "react", "@tanstack/react-query"],
    why: "The typed client ships to the browser: it knows the contract and the types of endpoints, not the server behind them.",
  })),
  {
    path: "lib/api/",
    mayImport: [
      "lib/engine/",
      "lib/actions/",
      "lib/api/",
      "lib/operator/",
      "lib/remote/",
      "lib/access/",
      "lib/server",
      "lib/env",
      "lib/log",
    ],
    why: "The HTTP layer asks access and operator; it holds no SQL and no rule of its own.",
  },
];

const aroundTheLayers: Layer[] = [
  {
    path: "lib/env",
    mayImport: [
      "lib/env",
      "lib/engine/audit/audit-keys",
      "lib/engine/access/group-roles",
      "lib/engine/fleet/fleet-id",
      "lib/engine/privacy/payload-keys",
      "lib/engine/schema-name",
      "lib/engine/traces/trace-ratio",
    ],
    why: "Configuration is read before anything else exists.",
  },
  {
    path: "lib/audit-keys",
    mayImport: ["lib/env", "lib/engine/audit/audit-keys"],
    why: "The key of the audit is found before anything is put together that writes to it.",
  },
  {
    path: "lib/logs/",
    mayImport: ["lib/engine/", "lib/logs/"],
    why: "An app's loggers write into it: it knows what a line is, and nothing of workers.",
  },
  { path: "lib/log", mayImport: ["lib/env"], why: "Everything may log, so the log may need nothing." },
  { path: "lib/shutdown", mayImport: ["lib/log"], why: "Everything may register what it has to close." },
  { path: "lib/class-names", mayImport: [], why: "Primitives import it, so it knows no domain." },
  {
    path: "lib/format",
    mayImport: ["lib/engine/", "lib/format"],
    why: "Formatting ships to the browser and knows only the rules' words.",
  },
  {
    path: "lib/filters/",
    mayImport: ["lib/engine/", "lib/filters/"],
    mayImportTypes: ["lib/api/contract/requests"],
    why: "The language of filters is read in browsers and in the command line: it knows the rules' words alone.",
  },
  {
    path: "lib/env-of-app",
    mayImport: ["lib/env", "lib/engine/errors"],
    why: "What an app says of its database is read together with the environment.",
  },
  {
    path: "lib/app",
    mayImport: ["lib/engine/", "lib/adapters/", "lib/worker/app", "lib/worker/transactions/"],
    mayImportTypes: ["lib/log"],
    why: "What an app gives to Handrail is said in the words of the rules and of the worker, which it is handed to.",
  },
  {
    path: "lib/registered-app",
    mayImport: ["lib/app", "lib/serverless"],
    why: "The web process is handed its app once, and knows of it what lib/app says.",
  },
  {
    path: "lib/server",
    mayImport: ["lib/"],
    why: "The web process is put together here, from everything in lib; it draws no screen.",
  },
  {
    path: "lib/instrumentation",
    mayImport: ["lib/"],
    why: "The hook of Next's that starts and stops what the web process carries.",
  },
  {
    path: "lib/serverless",
    mayImport: ["lib/"],
    why: "The worker of one call is put together here, for the web process.",
  },
  {
    path: "lib/testing/",
    mayImport: ["lib/", "scripts/", "demo/"],
    why:
      "What tests need below the screens. The only place of lib that knows the demo and the launcher: most tests run the " +
      "sample workflows on an embedded database, and to hand both to each of them would be more code than it saves.",
  },
];

/** Components run in the browser: they speak to the server through the typed client alone. */
const apps: Layer[] = [
  {
    path: "handrail.config",
    mayImport: ["lib/"],
    why: "Your app needs what is in lib, and nothing of the demo: that can be deleted.",
  },
  {
    path: "load-app",
    mayImport: ["lib/app", "lib/env", "handrail.config", "demo/app"],
    why: "Here alone a process of Handrail finds the demo.",
  },
  {
    path: "demo/app",
    mayImport: ["demo/services/", "demo/workflows/", "lib/app", "lib/adapters/prisma"],
    why: "The demo's app is made as any other: of its workflows, its services and lib/app.",
  },
  {
    path: "demo/seed",
    mayImport: ["demo/workflows/", "lib/"],
    why: "The demo's data are made by the real engine.",
  },
  {
    path: "demo/worker",
    mayImport: ["demo/app", "lib/worker/main"],
    why: "The demo's worker in the package is any worker, with the demo's app.",
  },
  {
    path: "demo/clients/",
    mayImport: ["lib/engine/", "demo/clients/", "lib/env", "lib/log"],
    why: "Clients of the outside world know neither who runs them nor where runs are stored.",
  },
  {
    path: "demo/services/",
    mayImport: ["lib/engine/", "demo/services/", "demo/clients/", "lib/generated/"],
    why: "The services serve workflows; worker, console and contract lie above them.",
  },
  {
    path: "demo/workflows/",
    mayImport: [OWN_FOLDER, "lib/engine/", "demo/clients/"],
    why: "A workflow needs the author's side of the engine and its own folder: it can be read, moved and deleted alone.",
  },
  {
    path: "demo/workflows/batch-fulfilment/",
    mayImport: [OWN_FOLDER, "lib/engine/", "demo/clients/", "demo/workflows/order-fulfilment/order-fulfilment"],
    why: "A workflow that starts children names their workflow, and nothing else of another's folder.",
  },
  {
    path: "demo/workflows/campaign-launch/",
    mayImport: [
      OWN_FOLDER,
      "lib/engine/",
      "demo/clients/",
      "demo/workflows/batch-fulfilment/batch-fulfilment",
      "demo/workflows/user-sync/user-sync",
    ],
    why: "A workflow that starts children names their workflows, and nothing else of another's folder.",
  },
  {
    path: "demo/workflows/index",
    mayImport: ["demo/workflows/", "lib/engine/workflows/workflow"],
    why: "The registry names the workflows and knows nothing else.",
  },
  {
    path: "demo/workflows/schedules",
    mayImport: ["demo/workflows/", "lib/engine/schedules/schedule"],
    why: "The registry names the schedules and knows nothing else.",
  },
  {
    path: "demo/sandbox/",
    mayImport: ["demo/sandbox/", "lib/env", "lib/log"],
    why: "The sandbox is the outside world: it is spoken to over sockets and shares no code with the product.",
  },
];

export const layers: Layer[] = [
  ...rules,
  ...processes,
  ...packaged,
  ...contract,
  ...aroundTheLayers,
  ...screens,
  ...apps,
  ...tools,
].sort((a, b) => b.path.length - a.path.length);

export function layerOf(path: string): Layer | undefined {
  return layers.find((layer) => path.startsWith(layer.path));
}
