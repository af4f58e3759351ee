import type { Endpoint } from "../../lib/api/endpoint";
import { addressOf, ENDPOINTS, queryNames } from "./fields";
import { nameOf } from "./oracle-places";
import type { World } from "./oracle-scene";

/** Reads that show nothing about a run, or nothing that a user typed; every other read is checked. */
export const NOT_READ: Record<string, string> = {
  "GET /v1/session": "who asks",
  "GET /v1/session/provider/callback": "a way back from signing in",
  "GET /v1/people": "people, for admins",
  "GET /v1/tokens": "tokens, for admins",
  "GET /v1/sessions": "sessions, for admins",
  "GET /v1/destinations": "addresses of notifications, for admins",
  "GET /v1/destinations/{id}/deliveries": "names and numbers alone (lib/engine/notices/notice.ts), for admins",
  "GET /v1/alerts": "names and numbers alone, of rules that admins and code made",
  "GET /v1/alerts/{id}": "the same of one rule",
  "GET /v1/alert-preview": "numbers and names of workflows, for admins",
  "GET /v1/openapi.json": "the contract",
  "GET /v1/cells/{cell}/{path*}": "another console's answer",
  "GET /v1/sandbox/{path*}": "another program's answer, in the demo",
  "GET /v1/database": "sizes of tables",
  "GET /v1/metrics": "numbers; names of workflows, and of steps where nothing is masked",
  "GET /health/live": "the process",
  "GET /health/ready": "the process",
  "GET /v1/runs/{runId}/published/{name}": "the output of a step, which is read as such",
  "GET /v1/runs/{runId}/value":
    "a value in a blob store, which this world lacks; lib/api/http/large-values.db.test.ts tries it",
  "GET /v1/stream": "followed while words are placed",
};

/** What was made in a world on the way. */
export interface Made {
  runs: readonly string[];
  plans: readonly string[];
  operations: readonly string[];
}

export interface Read {
  endpoint: Endpoint;
  address: string;
}

const STEPS = ["charge-payment", "send-confirmation", "ask", "create-order"];
const FORMATS = ["csv", "ndjson"];

/** Every GET address in one scene; in the same order in each. */
export function readsIn(world: World, made: Made): Read[] {
  return ENDPOINTS.filter((endpoint) => endpoint.method === "GET" && !NOT_READ[nameOf(endpoint)]).flatMap((endpoint) =>
    parametersIn(world, made, endpoint).flatMap((given) =>
      queriesIn(world, endpoint).map((query) => ({
        endpoint,
        address: `${addressOf(endpoint, given)}?${new URLSearchParams(query)}`,
      })),
    ),
  );
}

/** Each combination of values for the path parameters. */
export function parametersIn(world: World, made: Made, { path }: { path: string }): Record<string, string>[] {
  const there: Record<string, readonly string[]> = {
    runId: [...Object.values(world.runs), ...made.runs],
    planId: made.plans,
    operationId: made.operations,
    step: STEPS,
  };
  let given: Record<string, string>[] = [
    { workflow: world.workflow, name: world.schedule, problemId: world.problemId },
  ];
  for (const [name, values] of Object.entries(there))
    if (path.includes(`{${name}}`)) given = given.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  return given;
}

function queriesIn(world: World, endpoint: Endpoint): Record<string, string>[] {
  const names = queryNames(endpoint);
  const query: Record<string, string> = {};
  if (names.includes("workflow")) query.workflow = world.workflow;
  if (endpoint.path === "/v1/search") query.q = world.workflow;
  if (/backfills$/.test(endpoint.path))
    Object.assign(query, { from: "2026-01-01T00:00:00Z", to: "2026-01-03T00:00:00Z" });
  return names.includes("format") ? FORMATS.map((format) => ({ ...query, format })) : [query];
}
