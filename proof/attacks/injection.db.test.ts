import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "../../lib/api/endpoint";
import { BOOTSTRAP, bearer } from "../../lib/testing/api/with-sign-in";
import { HOSTILE_SHAPES, HOSTILE_TEXT } from "./corpus";
import { addressOf, bodiesOf, ENDPOINTS, NOBODY, parametersOf, queryNames, withValue } from "./fields";
import { type Scene, theScene } from "./scene";
import { attackTable, sampled, unless } from "./table";

let scene: Scene;
beforeAll(async () => {
  scene = await theScene();
});
afterAll(() => scene.close());

const holds = attackTable("injection");
const TEXTS = Object.entries(HOSTILE_TEXT);
const SLOWEST_MS = 3_000;

async function statusOf({ method }: Endpoint, path: string, body?: unknown) {
  const startedAt = performance.now();
  const abort = new AbortController();
  const asking = { headers: bearer(BOOTSTRAP), signal: abort.signal, ...(body !== undefined && { body }) };
  const response = await scene.send(method, path, asking);
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const text = isStream ? "" : await response.text();
  abort.abort();
  return { status: response.status, text, ms: performance.now() - startedAt };
}

/** A server error is a hole, and so is an answer that took as long as a statement that sleeps. */
const isHeld = ({ status, ms }: { status: number; ms: number }) =>
  (status < 500 || [502, 503].includes(status)) && ms < SLOWEST_MS;

it("text in every part of every path", async () => {
  const rows = ENDPOINTS.flatMap((endpoint) =>
    parametersOf(endpoint).flatMap((name) => TEXTS.map(([label, text]) => ({ endpoint, name, label, text }))),
  );
  await holds(sampled(rows), async ({ endpoint, name, label, text }) => {
    const path = addressOf(endpoint, { [name]: encodeURIComponent(text.toWellFormed()) });
    const body = endpoint.method === "GET" ? undefined : bodiesOf(endpoint)[0]?.value;
    const answer = await statusOf(endpoint, path, body);
    // Naming something that does not exist in an error answer is no leak.
    const isNothing = answer.status >= 400 || /^\{"\w+":\[\]\}$/.test(answer.text);
    // A workflow that nobody has registered yet may have verifications, if a workflow could have that name.
    const mayBe = endpoint.path.endsWith("/verifications") && /^[a-z]+$/.test(text);
    return unless(isHeld(answer) && (isNothing || mayBe), `${label} as {${name}} of ${endpoint.path}`, answer);
  });
});

/** Omitting a field leaves it unchanged: any success is right. */
const leavesOut = (name: string) => /^not[A-Z]/.test(name);

it("text in every name of every query: nothing matches it", async () => {
  const rows = ENDPOINTS.filter(({ method }) => method === "GET").flatMap((endpoint) =>
    [...queryNames(endpoint).filter((name) => name !== "cursor"), "tag.shop"].flatMap((name) =>
      TEXTS.map(([label, text]) => ({ endpoint, name, label, text })),
    ),
  );
  await holds(sampled(rows), async ({ endpoint, name, label, text }) => {
    const query = new URLSearchParams({ [name]: text.toWellFormed() });
    const answer = await statusOf(endpoint, `${addressOf(endpoint)}?${query}`);
    const found = /"runs":\[\{|"rows":\[\{|"lines":\[\{|"effects":\[\{/.test(answer.text);
    return unless(isHeld(answer) && (!found || leavesOut(name)), `${label} as ${name} of ${endpoint.path}`, answer);
  });
});

it("text in every word of every body", async () => {
  const rows = ENDPOINTS.flatMap((endpoint) =>
    bodiesOf(endpoint).flatMap(({ value, fields }) =>
      fields
        .filter(({ type }) => type === "string" || type === "enum")
        .flatMap(({ path }) =>
          TEXTS.map(([label, text]) => ({ endpoint, path, label, body: withValue(value, path, text) })),
        ),
    ),
  );
  await holds(sampled(rows), async ({ endpoint, path, label, body }) => {
    const answer = await statusOf(endpoint, addressOf(endpoint), body);
    return unless(isHeld(answer), `${label} as ${path.join(".")} of ${endpoint.method} ${endpoint.path}`, answer);
  });
});

it("an object or a list where a word is asked for fits nowhere", async () => {
  const rows = ENDPOINTS.flatMap((endpoint) =>
    bodiesOf(endpoint).flatMap(({ value, fields }) =>
      fields
        .filter(({ type }) => type !== "any")
        .flatMap(({ path, type }) =>
          Object.entries(HOSTILE_SHAPES)
            .filter(([, shape]) => shape !== null && typeof shape === "object")
            .map(([label, shape]) => ({ endpoint, path, type, label, body: withValue(value, path, shape) })),
        ),
    ),
  );
  await holds(rows, async ({ endpoint, path, label, body }) => {
    const { status, text } = await statusOf(endpoint, addressOf(endpoint), body);
    return unless(
      status === 422,
      `${label} as ${path.join(".")} of ${endpoint.method} ${endpoint.path}`,
      status + text,
    );
  });
});

const STRANGERS = ["role", "isAdmin", "constructor", "prototype", "__proto__", "toString", "actor", "by"];

it("names that nobody knows are refused, in bodies as in queries", async () => {
  await holds(
    ENDPOINTS.flatMap((endpoint) => bodiesOf(endpoint).map(({ value }) => ({ endpoint, value }))).filter(
      ({ endpoint }) => !endpoint.path.includes("*"),
    ),
    async ({ endpoint, value }) => {
      for (const name of STRANGERS) {
        if (Object.hasOwn(value as object, name)) continue;
        const text = `{"${name}":"admin",${JSON.stringify(value).slice(1)}`.replace(",}", "}");
        const { status } = await statusOf(endpoint, addressOf(endpoint), text);
        if (status !== 422) return `${name} in ${endpoint.method} ${endpoint.path}: ${status}`;
      }
    },
  );
  // OAuth requires unknown parameters of the callback to be ignored; sign-in-provider.db.test.ts covers them.
  const ours = ENDPOINTS.filter(({ path }) => path !== "/v1/session/provider/callback");
  const queries = ours
    .flatMap((endpoint) =>
      [...STRANGERS, "sort", "order", "fields", "where", "tag.__proto__"].map((name) => ({ endpoint, name })),
    )
    .filter(({ endpoint, name }) => endpoint.method === "GET" && !queryNames(endpoint).includes(name));
  await holds(queries, async ({ endpoint, name }) => {
    const answer = await statusOf(endpoint, `${addressOf(endpoint)}?${name}=admin`);
    return unless([400, 404].includes(answer.status), `${name} in the query of ${endpoint.path}`, answer.status);
  });
});

it("a filter is a text, not a pattern: metacharacters find themselves alone", async () => {
  const [{ id }] = await scene.rows("select id from handrail.run limit 1");
  const say = (message: string) =>
    scene.rows(
      "insert into handrail.log (run_id, key, at, during, message) values ($1, $2, clock_timestamp(), 'code', $2)",
      [id, message],
    );
  for (const message of ["plain", "100 %", "a_b", "back\\slash", "it's"]) await say(message);
  await holds(["%", "_", "\\", "'", "%%", "\\%", "_%", ".*", "*", "?"], async (q) => {
    const { body } = await scene.boot("GET", `/v1/runs/${id}/logs?${new URLSearchParams({ q })}`);
    const lines = body.lines as { message: string }[];
    return unless(
      lines.every(({ message }) => message.includes(q)),
      q,
      lines,
    );
  });
});

it("a cursor of one's own making leads nowhere", async () => {
  const keys = [
    "{}",
    "[]",
    "[null]",
    '["x"]',
    '["\'; select 1"]',
    "[1e400]",
    "[-1]",
    "[9007199254740993]",
    `["${"9".repeat(40)}"]`,
    '["01890000-0000-7000-8000-000000000000","x"]',
    '[{"a":1}]',
    '["a\\u0000b"]',
    '["2026-01-01T00:00:00Z","x\\ud800"]',
    '["infinity","01890000-0000-7000-8000-000000000000"]',
    '["0000-00-00","01890000-0000-7000-8000-000000000000"]',
    `[[[[${"[".repeat(50)}`,
    ...[
      "0000-00-00",
      "2026-02-31 00:00:00+00",
      "2026-01-01 25:00:00+00",
      "0000-01-01 00:00:00+00",
      "2026-01-01 00:00:00+16",
    ].flatMap((at) => [
      `["${at}","${NOBODY}"]`,
      `["${at}","${NOBODY}","a-step",1]`,
      `["2026-01-01 00:00:00+00","${NOBODY}","a\\u0000b",1e400]`,
    ]),
  ];
  const rows = ENDPOINTS.filter((endpoint) => queryNames(endpoint).includes("cursor")).flatMap((endpoint) =>
    keys.map((key) => ({ endpoint, key })),
  );
  await holds(rows, async ({ endpoint, key }) => {
    const cursor = Buffer.from(key).toString("base64url");
    const answer = await statusOf(endpoint, `${addressOf(endpoint)}?cursor=${cursor}`);
    return unless(isHeld(answer), `${key} to ${endpoint.path}`, answer);
  });
});

it("instants and numbers at their edges", async () => {
  const instants = [
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.999999999Z",
    "2026-02-30T00:00:00Z",
    "2026-01-01T00:00:00+23:59",
    "2026-01-01T00:00:00-23:59",
    "2026-01-01T23:59:60Z",
    "infinity",
    "now",
    "epoch",
    "-4713-01-01T00:00:00Z",
    "+275760-09-13T00:00:00Z",
  ];
  const times = ENDPOINTS.filter(({ method }) => method === "GET").flatMap((endpoint) =>
    queryNames(endpoint)
      .filter((name) => ["since", "until", "createdAfter", "createdBefore", "from", "to"].includes(name))
      .flatMap((name) => instants.map((value) => ({ endpoint, name, value }))),
  );
  const numbers = ENDPOINTS.flatMap((endpoint) =>
    queryNames(endpoint)
      .filter((name) => ["limit", "waitMs"].includes(name))
      .flatMap((name) =>
        ["-1", "0", "1e9", "1e400", "0x10", "١", "NaN", "1.5", "9007199254740993", "1;select 1"].map((value) => ({
          endpoint,
          name,
          value,
        })),
      ),
  );
  await holds([...times, ...numbers], async ({ endpoint, name, value }) => {
    const answer = await statusOf(endpoint, `${addressOf(endpoint)}?${new URLSearchParams({ [name]: value })}`);
    return unless(isHeld(answer), `${name}=${value} of ${endpoint.path}`, answer);
  });
  const bodies = ENDPOINTS.flatMap((endpoint) =>
    bodiesOf(endpoint).flatMap(({ value, fields }) =>
      fields.flatMap(({ path, type }) =>
        (type === "string"
          ? instants
          : type === "integer" || type === "number"
            ? [1e15, 2 ** 53, -1, 1e308, 0.5]
            : []
        ).map((edge) => ({ endpoint, path, edge, body: withValue(value, path, edge) })),
      ),
    ),
  );
  await holds(sampled(bodies), async ({ endpoint, path, edge, body }) => {
    const answer = await statusOf(endpoint, addressOf(endpoint), body);
    return unless(isHeld(answer), `${edge} as ${path.join(".")} of ${endpoint.method} ${endpoint.path}`, answer);
  });
});

it("a line of the log stays one line, whatever it tells", async () => {
  const program = `
    import { createLogger } from "./lib/log";
    const texts = JSON.parse(process.argv[1]);
    const log = createLogger("console");
    for (const text of texts) log.error({ path: text, [text]: text, err: new Error(text) }, text);`;
  const texts = TEXTS.map(([, text]) => text);
  const { stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", program, JSON.stringify(texts)],
    { encoding: "utf8", cwd: process.cwd() },
  );
  const lines = stderr.trimEnd().split("\n");
  expect(lines).toHaveLength(texts.length);
  await holds(
    lines.map((line, index) => [line, texts[index]] as const),
    async ([line, text]) => {
      const told = JSON.parse(line);
      return unless(
        told.msg.toWellFormed() === text?.toWellFormed() &&
          told.level === 50 &&
          ![...line].some((letter) => letter < " "),
        String(text),
        line,
      );
    },
  );
});

it("after all of it, everything is where it was", async () => {
  const [{ tables }] = await scene.rows(
    "select count(*)::int as tables from information_schema.tables where table_schema = 'handrail'",
  );
  expect(tables).toBeGreaterThan(20);
  expect((await scene.boot("GET", `/v1/runs/${scene.foreign.failed}`)).body).toMatchObject({ status: "failed" });
  const people = await scene.rows("select name from handrail.person where role = 'admin'");
  expect(people).toEqual([]);
});
