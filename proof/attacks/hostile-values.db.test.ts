import { afterAll, beforeAll, it } from "vitest";
import { CLAIM_HEADER } from "../../lib/api/contract/remote";
import { BOOTSTRAP, bearer } from "../../lib/testing/api/with-sign-in";
import { HOSTILE_BODIES, HOSTILE_JSON } from "./corpus";
import { type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

let scene: Scene;
let claim: Awaited<ReturnType<typeof aClaim>>;
beforeAll(async () => {
  scene = await theScene();
  claim = await aClaim();
});
afterAll(() => scene.close());

/** A run claimed over HTTP, whose first step was requested. */
async function aClaim() {
  const workflows = [{ name: "takes-anything" }];
  const worker = await scene.boot("POST", "/v1/worker/registrations", { name: "w", language: "any", workflows });
  await scene.boot("POST", "/v1/runs", { workflow: "takes-anything", input: null });
  const claims = await scene.boot("POST", `/v1/worker/registrations/${worker.body.workerId}/claims`, {});
  const [run] = claims.body.runs;
  await scene.as(BOOTSTRAP, "POST", `/v1/worker/runs/${run.id}/steps/a-step/attempts`, {
    body: { epoch: run.epoch },
    headers: { [CLAIM_HEADER]: run.secret },
  });
  return run as { id: string; epoch: number; secret: string };
}

const SLOWEST_MS = 3_000;

/** An accepted value is read back unchanged; a refusal is a client error and reveals no internals. */
async function send(method: string, path: string, body: string | Uint8Array, label: string) {
  const startedAt = performance.now();
  const headers = { "content-type": "application/json", ...bearer(BOOTSTRAP), [CLAIM_HEADER]: claim.secret };
  const response = await scene.send(method, path, { body: body as string, headers });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  if (response.status >= 500) return `${label} to ${method} ${path}: ${response.status} ${text.slice(0, 200)}`;
  if (response.status >= 400 && text.length > 20_000)
    return `${label} to ${path}: refused in ${text.length} characters`;
  if (ms > SLOWEST_MS) return `${label} to ${path}: answered after ${Math.round(ms)} ms`;
  JSON.parse(text);
  return unless(({} as { polluted?: true }).polluted === undefined, label, "polluted every object");
}

/** Every place that accepts any JSON value: `VALUE` marks it. */
const places = (): [method: string, path: string, body: string][] => [
  ["POST", "/v1/runs", '{"workflow":"takes-anything","input":VALUE}'],
  ["POST", "/v1/runs", '{"workflow":"order-fulfilment","input":VALUE}'],
  ["POST", "/v1/runs/batch", '{"workflow":"takes-anything","runs":[{"input":1},{"input":VALUE}]}'],
  ["POST", "/v1/events", '{"name":"e","key":"k","payload":VALUE}'],
  ["POST", `/v1/runs/${scene.foreign.asleep}/events`, '{"name":"e","payload":VALUE}'],
  [
    "POST",
    `/v1/runs/${scene.foreign.unknown}/steps/charge-payment/resolution`,
    '{"outcome":"happened","output":VALUE,"revision":99,"reason":"r"}',
  ],
  ["PUT", "/v1/schedules/a-schedule/override", '{"input":VALUE,"reason":"r"}'],
  ["PUT", "/v1/schedules/another", '{"workflow":"takes-anything","everyMs":86400000,"input":VALUE,"reason":"r"}'],
  [
    "POST",
    `/v1/worker/runs/${claim.id}/steps/a-step/outcome`,
    `{"epoch":${claim.epoch},"attempt":1,"outcome":"completed","output":VALUE}`,
  ],
  [
    "POST",
    `/v1/worker/runs/${claim.id}/steps/a-step/outcome`,
    `{"epoch":${claim.epoch},"attempt":1,"outcome":"failed","error":VALUE}`,
  ],
  [
    "POST",
    `/v1/worker/runs/${claim.id}/steps/asked/attempts`,
    `{"epoch":${claim.epoch},"kind":"approval","question":"q","data":VALUE}`,
  ],
  [
    "POST",
    "/v1/worker/registrations",
    '{"name":"w","language":"l","workflows":[{"name":"with-schema","inputSchema":{"const":VALUE}}]}',
  ],
  ["POST", "/v1/plans", '{"act":"rerun","params":VALUE,"selection":{"runIds":[]}}'],
  ["POST", "/v1/tokens", "VALUE"],
  ["PUT", "/v1/sandbox/payments/faults", "VALUE"],
];

const holds = attackTable("hostile values");

it("any value, wherever one is taken: kept whole or refused, never a failure of ours", async () => {
  const rows = places().flatMap((place) => Object.entries(HOSTILE_JSON).map((value) => ({ place, value })));
  await holds(rows, async ({ place: [method, path, body], value: [label, value] }) =>
    send(
      method,
      path,
      body.replace("VALUE", () => value),
      label,
    ),
  );
});

it("whatever was taken is read again, in every list and on every page of a run", async () => {
  const lists = ["/v1/runs?limit=200", "/v1/schedules", "/v1/approvals", "/v1/effects?limit=200", "/v1/overview"];
  const ids = await scene.rows("select id from handrail.run");
  await holds([...lists, ...ids.map(({ id }) => `/v1/runs/${id}`)], async (path) => {
    const { status, body } = await scene.boot("GET", path);
    return unless(status === 200, path, body);
  });
});

it("bodies that are no JSON are the sender's fault", async () => {
  const paths = ["/v1/runs", "/v1/events", "/v1/plans", "/v1/session", "/v1/worker/registrations"];
  const rows = paths.flatMap((path) => Object.entries(HOSTILE_BODIES).map(([label, body]) => ({ path, label, body })));
  await holds(rows, async ({ path, label, body }) => {
    const headers = { "content-type": "application/json", ...(path !== "/v1/session" && bearer(BOOTSTRAP)) };
    const response = await scene.send("POST", path, { body: body as string, headers });
    const { error } = await response.json();
    return unless([400, 413, 422].includes(response.status), `${label} to ${path}`, error);
  });
});

it("a refused value is not repeated at length", async () => {
  const strangers = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`stranger-${n}`, n]));
  const long = "k".repeat(150_000);
  const bodies = [
    { workflow: "takes-anything", input: 1, ...strangers },
    { workflow: "takes-anything", input: 1, tags: { [long]: "" } },
    { workflow: long, input: 1 },
    { [long]: 1 },
    { workflow: "takes-anything", input: 1, priority: long },
  ];
  await holds(bodies, async (body) => {
    const { status, body: answer } = await scene.boot("POST", "/v1/runs", body);
    const length = JSON.stringify(answer).length;
    return unless(status === 422 && length < 8_000, Object.keys(body)[0]?.slice(0, 20) ?? "", { status, length });
  });
});

it("a schema that a worker brings cannot keep the console busy", async () => {
  const doubled = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `d${n}`,
      { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  );
  const schemas: [string, object, unknown][] = [
    ["nested quantifiers", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(60)}!`],
    ["overlapping choices", { type: "string", pattern: "^(a|a)*$" }, `${"a".repeat(60)}!`],
    ["a chain of stars", { type: "string", pattern: `^${"a*".repeat(30)}$` }, `${"a".repeat(2_000)}!`],
    ["a look-ahead", { type: "string", pattern: "^(?=(a+)+$)a*$" }, `${"a".repeat(60)}!`],
    ["in a list", { type: "array", items: { type: "string", pattern: "(x+x+)+y" } }, ["x".repeat(100)]],
    ["a schema of itself", { $ref: "#" }, 1],
    ["doubled forty times", { $ref: "#/$defs/d0", $defs: { ...doubled, d40: { type: "string" } } }, "x"],
    ["from elsewhere", { $ref: "http://169.254.169.254/latest/meta-data" }, 1],
  ];
  await holds(schemas, async ([label, inputSchema, input]) => {
    const name = `schema ${label}`;
    const startedAt = performance.now();
    const workflows = [{ name, inputSchema }];
    const told = await scene.boot("POST", "/v1/worker/registrations", { name: "w", language: "l", workflows });
    const started = await scene.boot("POST", "/v1/runs", { workflow: name, input });
    const ms = performance.now() - startedAt;
    const held = ms < SLOWEST_MS && told.status < 500 && [404, 422].includes(started.status);
    return unless(held, label, { ms, told: told.status, started: started.body });
  });
});
