import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, it } from "vitest";
import { asHandrailError, errorBody } from "../../lib/api/http/failure";
import { BOOTSTRAP, bearer } from "../../lib/testing/api/with-sign-in";
import { ChildConsole } from "../../lib/testing/processes/crash";
import { addressOf, bodiesOf, ENDPOINTS } from "./fields";
import { type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

let scene: Scene;
/** A console without a database. */
let blind: ChildConsole;
const SECRET = "the-password-of-the-database";
beforeAll(async () => {
  scene = await theScene();
  const nobody = createServer().listen(0, "127.0.0.1");
  await once(nobody, "listening");
  const { port } = nobody.address() as { port: number };
  nobody.close();
  blind = await ChildConsole.spawn({ url: `postgresql://handrail:${SECRET}@127.0.0.1:${port}/handrail` });
});
afterAll(async () => {
  await blind?.kill();
  await scene.close();
});

const holds = attackTable("errors");

/** Where another protocol says how a refusal is written, it has a table of its own: spans.db.test.ts. */
const OURS = ENDPOINTS.filter(({ refuse }) => !refuse);

/** No internals: neither files nor frames, statements, addresses or names of packages. */
const INSIDE =
  /\bat .*:\d+:\d+|node_modules|\.tsx?\b|select .* from|ECONN|127\.0\.0\.1:\d|postgres(ql)?:|argon2|\bpg\b|prisma/i;

function faultOf(text: string): string | undefined {
  const { error, ...more } = JSON.parse(text);
  if (Object.keys(more).length > 0 || Object.keys(error).sort().join() !== "code,details,message,requestId")
    return text;
  return INSIDE.test(`${error.message}${JSON.stringify(error.details)}`) || text.includes(SECRET) ? text : undefined;
}

it("without its database, the console says so and nothing of where it looked", async () => {
  const rows = OURS.filter(({ path }) => !path.startsWith("/health") && path !== "/v1/stream");
  await holds(rows, async (endpoint) => {
    const { method } = endpoint;
    const headers = { ...(endpoint.action !== "public" && bearer(BOOTSTRAP)), origin: "http://127.0.0.1:3000" };
    const response = await fetch(blind.url + addressOf(endpoint), {
      method,
      headers: headers as Record<string, string>,
      ...(method !== "GET" && { body: JSON.stringify(bodiesOf(endpoint)[0]?.value ?? {}) }),
    });
    // A file whose first rows cannot be read is aborted, so that it is not taken for complete.
    const text = await response.text().catch(() => "");
    if (response.status < 400) return text.includes(SECRET) ? `${endpoint.path}: ${text}` : undefined;
    const fault = faultOf(text);
    return unless(
      fault === undefined && response.status !== 500,
      `${method} ${endpoint.path}: ${response.status}`,
      fault ?? "500",
    );
  });
});

it("every refusal has a code, a sentence and the request's id, and no more", async () => {
  const rows = OURS.filter(({ action }) => action !== "public").flatMap((endpoint) =>
    [undefined, { authorization: "Bearer nothing" }, bearer(BOOTSTRAP)].map((headers) => ({ endpoint, headers })),
  );
  await holds(rows, async ({ endpoint: { method, ...endpoint }, headers }) => {
    const abort = new AbortController();
    const path = addressOf(
      { method, ...endpoint },
      { runId: "not-an-id", planId: "x", operationId: "x", id: "x", workerId: "x" },
    );
    const body = method === "GET" ? {} : { body: "{" };
    const response = await scene.send(method, path, { ...body, ...(headers && { headers }), signal: abort.signal });
    const text = response.status < 400 ? "" : await response.text();
    abort.abort();
    const isNamed = text === "" || response.headers.get("x-request-id") === JSON.parse(text).error.requestId;
    return unless(isNamed && (text === "" || faultOf(text) === undefined), `${method} ${path}`, text);
  });
});

it("whatever is thrown, the message that is sent is ours", async () => {
  const cause = new Error(`connect ECONNREFUSED postgresql://u:${SECRET}@10.0.0.1:5432/x`);
  const thrown: [string, unknown][] = [
    ["an error", cause],
    ["its cause", new Error("x", { cause })],
    ["text", `postgresql://u:${SECRET}@h/x`],
    ["null", null],
    ["undefined", undefined],
    ["a number", 7],
    ["a symbol", Symbol(SECRET)],
    ["an object", { message: SECRET, stack: SECRET, code: "P1001" }],
    ["a proxy", new Proxy({}, { get: () => undefined })],
    ["a function", () => SECRET],
    ["of Prisma", Object.assign(new Error(`Can't reach database server at db:5432 ${SECRET}`), { code: "P1001" })],
    ["of Postgres", Object.assign(new Error(`relation "secret" ${SECRET}`), { code: "42P01", severity: "ERROR" })],
    ["many at once", new AggregateError([cause], SECRET)],
    ["of the system", Object.assign(new Error(SECRET), { code: "ENOENT", path: `/etc/${SECRET}` })],
  ];
  await holds(thrown, async ([label, error]) => {
    const text = JSON.stringify(errorBody(asHandrailError(error), "an-id"));
    return unless(faultOf(text) === undefined, label, text);
  });
});
