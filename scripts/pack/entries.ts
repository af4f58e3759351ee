/** What can be imported from the package, and the file that it comes from. */
export const ENTRIES: Record<string, string> = {
  handrail: "lib/library/handrail.ts",
  config: "lib/library/config.ts",
  fleet: "lib/library/fleet/fleet.ts",
  testing: "lib/testkit/testing.ts",
  verify: "lib/verify/verify.ts",
  eslint: "lib/eslint/eslint.ts",
  otel: "lib/library/otel.ts",
  logs: "lib/logs/logs.ts",
  prisma: "lib/adapters/prisma.ts",
  drizzle: "lib/adapters/drizzle.ts",
  kysely: "lib/adapters/kysely.ts",
  knex: "lib/adapters/knex.ts",
  typeorm: "lib/adapters/typeorm.ts",
  postgres: "lib/adapters/postgres.ts",
  pg: "lib/adapters/pg.ts",
  next: "lib/handlers/next.ts",
  express: "lib/handlers/express.ts",
  fastify: "lib/handlers/fastify.ts",
  hono: "lib/handlers/hono.ts",
  register: "cli/packaged/register.ts",
  client: "lib/client/client.ts",
  "http-worker": "lib/client/http-worker.ts",
};

/** The command `handrail`, which is no import. */
export const COMMAND = "cli/packaged/main.ts";

/** The interfaces that an app extends. */
export const REGISTER = "lib/engine/workflows/register.ts";

/**
 * Of them, those whose types come without the server's: in their place, `CONTRACT` has the types of every path of the API written
 * out. They need these folders and nothing else.
 */
export const CLIENTS = ["client", "http-worker"];
export const FOLDERS_OF_CLIENTS = ["lib/client", "lib/api/client", "lib/engine"];
export const CONTRACT = "lib/api/client/contract.ts";

/** Loaded by the console, for the blob store of the app. */
export const LOADER = "cli/packaged/config/load-config.ts";

/** Loaded by a program beside the code: what stops an embedded database. */
export const EMBEDDED = "scripts/postgres/embedded.ts";
