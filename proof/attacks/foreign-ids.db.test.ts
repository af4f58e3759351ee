import { afterAll, beforeAll, it } from "vitest";
import { checkedSchedule } from "../../lib/engine/schedules/schedule";
import { syncSchedules } from "../../lib/store/schedules/sync-schedules";
import { BOOTSTRAP } from "../../lib/testing/api/with-sign-in";
import { addressOf, bodiesOf, ENDPOINTS, parametersOf } from "./fields";
import { FOREIGN, OWN, REASON, type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

const PASSWORD = "correct horse battery";

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; text: string }>;

let scene: Scene;
/** Bound to one workflow, with every permission there. */
let bound: [name: string, ask: Ask][];
let snapshot: string;
beforeAll(async () => {
  scene = await theScene();
  // Beside the scene's own one: theirs between two.
  const aDay = { everyMs: 86_400_000, input: "{}" };
  await syncSchedules(scene.db, [
    checkedSchedule({ ...aDay, name: `b-${FOREIGN}`, workflow: FOREIGN }),
    checkedSchedule({ ...aDay, name: "c-schedule", workflow: OWN }),
  ]);
  const granted = { workflows: [OWN], payloadRead: true };
  const cookie = await scene.person("Bound", PASSWORD, { role: "admin", ...granted });
  const token = await scene.mint(["admin", "worker.work", "worker.drive", "payload.read"], { workflows: [OWN] });
  const asking =
    (headers: Record<string, string>): Ask =>
    async (method, path, body) => {
      const abort = new AbortController();
      const given = { headers, signal: abort.signal, ...(body !== undefined && { body }) };
      const response = await scene.send(method, path, given);
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      const text = isStream ? "" : await response.text();
      if (isStream) await response.body?.cancel();
      abort.abort();
      return { status: response.status, text };
    };
  bound = [
    ["a person", asking({ cookie, origin: "http://127.0.0.1:3000" })],
    ["a token", asking({ authorization: `Bearer ${token}` })],
  ];
  snapshot = await foreignState();
});
afterAll(() => scene.close());

const namesTheirs = (text: string) => text.includes(FOREIGN) || foreignIds().some(([, id]) => text.includes(id));
/** The page's cursor, decoded. */
const nextOf = (page: string) => Buffer.from(JSON.parse(page).nextCursor ?? "", "base64url").toString();

/** Everything that they must not have changed. */
async function foreignState(): Promise<string> {
  const runs = await scene.rows(
    "select id, revision, status, pause_requested_at, cancel_requested_at from handrail.run where workflow = $1 order by id",
    [FOREIGN],
  );
  const worker = await scene.rows("select id, stopped_at from handrail.worker where id = $1", [scene.foreign.workerId]);
  return JSON.stringify([runs, worker]);
}

const holds = attackTable("foreign ids");
const REFUSED = [403, 404];
const foreignIds = () => Object.entries(scene.foreign).filter(([name]) => name !== "workerId") as [string, string][];

it("a run, step, worker or workflow that is not theirs, in the path of every endpoint", async () => {
  const rows = ENDPOINTS.flatMap((endpoint) => {
    const names = parametersOf(endpoint);
    if (names.includes("runId"))
      return foreignIds().flatMap(([state, runId]) =>
        ["charge-payment", "go-on", "send-confirmation"]
          .slice(0, names.includes("step") ? 3 : 1)
          .map((step) => ({ endpoint, label: `${state} ${step}`, given: { runId, step } as Record<string, string> })),
      );
    if (names.includes("workerId"))
      return [{ endpoint, label: "worker", given: { workerId: String(scene.foreign.workerId) } }];
    if (names.includes("workflow")) return [{ endpoint, label: "workflow", given: { workflow: FOREIGN } }];
    return [];
  });
  const all = bound.flatMap(([who, ask]) => rows.map((row) => ({ ...row, who, ask })));
  await holds(all, async ({ endpoint, label, given, who, ask }) => {
    const body = endpoint.method === "GET" ? undefined : bodiesOf(endpoint)[0]?.value;
    const { status, text } = await ask(endpoint.method, addressOf(endpoint, given), body);
    return unless(REFUSED.includes(status), `${who}: ${endpoint.method} ${endpoint.path} of ${label}`, status + text);
  });
});

it("every list and every export leaves out what is not theirs, under every filter", async () => {
  const paths = ENDPOINTS.filter(({ method, path }) => method === "GET" && !path.includes("{")).map(({ path }) => path);
  const filters = [
    "",
    `?workflow=${FOREIGN}`,
    `?workflow=${OWN},${FOREIGN}`,
    `?q=${scene.foreign.failed}`,
    `?q=${scene.foreign.failed.slice(0, 12)}`,
    "?q=A-17",
    "?tag.orderId=A-17",
    `?runId=${scene.foreign.failed}`,
    "?status=failed,waiting",
    "?attention=outcome_unknown",
    "?format=csv",
    "?limit=200",
    "?workflow=,",
    "?workflow=%2C%20",
    "?status=,&attention=,",
  ];
  const rows = bound.flatMap(([who, ask]) =>
    paths.flatMap((path) => filters.map((filter) => ({ who, ask, path, filter }))),
  );
  await holds(rows, async ({ who, ask, path, filter }) => {
    const { status, text } = await ask("GET", path + filter);
    // Workflow names in the API document are examples.
    if (path === "/v1/openapi.json" || status >= 400) return unless(status < 500, path, text);
    const told = foreignIds().find(([, id]) => text.includes(id)) ?? (text.includes(FOREIGN) ? FOREIGN : undefined);
    return unless(told === undefined, `${who}: ${path}${filter} tells of ${told}`, text.slice(0, 300));
  });
});

it("a page that begins where somebody else's ended holds nothing of theirs", async () => {
  const rows: { who: string; ask: Ask; path: string; cursor: string }[] = [];
  for (const path of ["/v1/runs", "/v1/effects", "/v1/approvals", "/v1/compensations"]) {
    const { body } = await scene.as(BOOTSTRAP, "GET", `${path}?limit=1`);
    for (const [who, ask] of bound) if (body.nextCursor) rows.push({ who, ask, path, cursor: body.nextCursor });
  }
  await holds(rows, async ({ who, ask, path, cursor }) => {
    const { text } = await ask("GET", `${path}?cursor=${cursor}`);
    return unless(!text.includes(FOREIGN), `${who}: ${path}`, text.slice(0, 300));
  });
});

it("a cursor that they write themselves opens no run of theirs", async () => {
  const cursors = foreignIds().map(([state, runId]) => ({
    state,
    cursor: Buffer.from(JSON.stringify([runId, -1, ""])).toString("base64url"),
  }));
  const paths = ["/v1/effects", `/v1/runs/${scene.own.failed}/effects`];
  const rows = bound.flatMap(([who, ask]) =>
    paths.flatMap((path) =>
      ["", "&limit=1"].flatMap((limit) => cursors.map((one) => ({ ...one, who, ask, path, limit }))),
    ),
  );
  await holds(rows, async ({ who, ask, path, state, cursor, limit }) => {
    const { status, text } = await ask("GET", `${path}?cursor=${cursor}${limit}`);
    const isTheirs = namesTheirs(text + nextOf(text));
    return unless(status === 200 && !isTheirs, `${who}: ${path} from ${state}${limit}`, status + text.slice(0, 300));
  });
});

it("a list that is followed to its end, one by one, names nothing of theirs", async () => {
  const paths = ["/v1/schedules", "/v1/runs", "/v1/effects", "/v1/approvals", "/v1/compensations"];
  const rows = bound.flatMap(([who, ask]) => paths.map((path) => ({ who, ask, path })));
  await holds(rows, async ({ who, ask, path }) => {
    const pages: string[] = [];
    for (let cursor = ""; ; ) {
      const { text } = await ask("GET", `${path}?limit=1${cursor}`);
      pages.push(text + nextOf(text));
      const { nextCursor } = JSON.parse(text);
      if (typeof nextCursor !== "string" || pages.length === 20) break;
      cursor = `&cursor=${nextCursor}`;
    }
    const own = path !== "/v1/schedules" || pages.length === 2;
    return unless(own && !namesTheirs(pages.join()), `${who}: ${path} page by page`, pages.join().slice(0, 300));
  });
});

it("one foreign among fifty spoils the whole request", async () => {
  const own = Array.from({ length: 49 }, () => scene.own.failed);
  const mixed = [...own.slice(0, 30), scene.foreign.failed, ...own.slice(30)];
  const ofOwn = Array.from({ length: 49 }, (_, n) => ({ name: OWN, version: n + 1 }));
  const acts = ["rerun", "cancel", "pause", "resume"];
  const bodies: [string, object][] = [
    ...acts.map((act): [string, object] => ["/v1/plans", { act, params: {}, selection: { runIds: mixed } }]),
    ...acts.map((act): [string, object] => [
      "/v1/plans",
      { act, params: {}, selection: { filter: { workflow: [OWN, FOREIGN] } } },
    ]),
    ["/v1/worker/registrations", { name: "w", language: "l", workflows: [...ofOwn, { name: FOREIGN }] }],
    ["/v1/runs", { workflow: FOREIGN, input: {} }],
    ["/v1/runs/batch", { workflow: FOREIGN, runs: [{ input: {} }] }],
    ["/v1/events", { name: "x", payload: null, key: "k" }],
    ["/v1/worker/drives", {}],
    ["/v1/tokens", { name: "wider", scopes: ["admin"], workflows: null, expiresInDays: 1, reason: REASON }],
    ["/v1/people/invitations", { name: "wider", role: "admin", workflows: null, reason: REASON }],
  ];
  const rows = bound.flatMap(([who, ask]) => bodies.map(([path, body]) => ({ who, ask, path, body })));
  await holds(rows, async ({ who, ask, path, body }) => {
    const { status, text } = await ask("POST", path, body);
    return unless(
      status === 403,
      `${who}: POST ${path} ${JSON.stringify(body).slice(0, 60)}`,
      status + text.slice(0, 200),
    );
  });
});

it("a plan for all that there is, is one for all that is theirs", async () => {
  const filters = [
    {},
    { workflow: [] },
    { q: "A-17" },
    { tags: { orderId: "A-17" } },
    { status: ["failed", "waiting"] },
  ];
  const acts = ["rerun", "cancel", "pause", "resume"];
  const rows = bound.flatMap(([who, ask]) =>
    acts.flatMap((act) => filters.map((filter) => ({ who, ask, act, filter }))),
  );
  await holds(rows, async ({ who, ask, act, filter }) => {
    const { status, text } = await ask("POST", "/v1/plans", { act, params: {}, selection: { filter } });
    const told = foreignIds().some(([, id]) => text.includes(id)) || text.includes(FOREIGN);
    return unless(
      [201, 403, 404, 409, 422].includes(status) && !told,
      `${who}: ${act} ${JSON.stringify(filter)}`,
      text,
    );
  });
});

it("people, tokens and sessions of others are nobody's but an admin's of everything", async () => {
  const other = await scene.person("Other", PASSWORD);
  const { body } = await scene.withCookie(other, "GET", "/v1/sessions");
  const [{ id: sessionId }] = body.sessions;
  const people = (await scene.boot("GET", "/v1/people")).body.people as { id: string }[];
  const tokens = (await scene.boot("GET", "/v1/tokens")).body.tokens as { id: string }[];
  const wide = { role: "admin", payloadRead: true, workflows: null, disabled: false, reason: REASON };
  const requests: [string, string, object?][] = [
    ["POST", `/v1/sessions/${sessionId}/revocation`, { reason: REASON }],
    ["POST", `/v1/tokens/${tokens[0]?.id}/revocation`, { reason: REASON }],
    ...people.map(({ id }): [string, string, object] => ["PUT", `/v1/people/${id}`, wide]),
    ["GET", "/v1/people"],
    ["GET", "/v1/tokens"],
    ["GET", "/v1/audit"],
    ["GET", "/v1/audit/export"],
    ["GET", "/v1/overview"],
  ];
  const rows = bound.flatMap(([who, ask]) => requests.map((request) => ({ who, ask, request })));
  await holds(rows, async ({ who, ask, request: [method, path, asked] }) => {
    const { status } = await ask(method, path, asked);
    return unless(REFUSED.includes(status), `${who}: ${method} ${path}`, status);
  });
});

it("an act on a child of another's run is an act on another's run", async () => {
  const [{ id }] = await scene.rows(
    `insert into handrail.run (id, workflow, version, status, input, parent_run_id, parent_step, parent_key_generation)
     values (gen_random_uuid(), $2, 1, 'pending', 'null', $1, 'create-order', 1) returning id`,
    [scene.own.failed, FOREIGN],
  );
  const rows = bound.flatMap(([who, ask]) =>
    ["cancellation", "pause", "resumption", "wakeups", "reruns", "compensations"].map((act) => ({ who, ask, act })),
  );
  await holds(rows, async ({ who, ask, act }) => {
    const { status } = await ask("POST", `/v1/runs/${id}/${act}`, { reason: REASON });
    return unless(status === 403, `${who}: ${act} of a foreign child`, status);
  });
  await scene.rows("delete from handrail.run where id = $1", [id]);
});

it("a stream names no run that is not theirs", async () => {
  const token = await scene.mint(["viewer"], { workflows: [OWN] });
  const abort = new AbortController();
  const stream = await scene.send("GET", "/v1/stream", {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  });
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  let heard = new TextDecoder().decode((await reader.read()).value);
  const change = (runId: string) =>
    scene.rows("select pg_notify('handrail_change', $1)", [JSON.stringify({ runIds: [runId], many: false })]);
  const reading = (async () => {
    for (let told = ""; !told.includes(scene.own.failed); heard += told) {
      const { value, done } = await reader.read();
      if (done) return;
      told = new TextDecoder().decode(value);
    }
  })();
  await holds(foreignIds(), async ([, runId]) => void (await change(runId)));
  const ours = setInterval(() => void change(scene.own.failed), 200);
  await reading;
  clearInterval(ours);
  abort.abort();
  await holds(foreignIds(), async ([state, runId]) => unless(!heard.includes(runId), state, heard));
});

it("after all of it, what is not theirs is as it was", async () => {
  await holds(["state"], async () => {
    const now = await foreignState();
    return unless(now === snapshot, "changed", now);
  });
});

it("the team's views of what is not theirs", async () => {
  const states: [label: string, state: Record<string, string>, theirs: boolean][] = [
    ["of another workflow", { workflow: FOREIGN, "tag.customer": "canary-view" }, false],
    ["of theirs and another", { workflow: `${OWN},${FOREIGN}`, "tag.customer": "canary-view" }, false],
    ["of all workflows", { "tag.customer": "canary-view" }, false],
    ["of no workflow", { workflow: ",", "tag.customer": "canary-view" }, false],
    ["of theirs", { workflow: OWN }, true],
  ];
  for (const [label, state, theirs] of states) {
    const made = await scene.boot("POST", "/v1/views", { name: label, shared: true, state });
    await holds(bound, async ([name, ask]) => {
      const { text } = await ask("GET", "/v1/views");
      const change = { name: "taken", shared: true, state: {}, revision: made.body.revision + 1 };
      const { status } = await ask("PUT", `/v1/views/${made.body.id}`, change);
      const held =
        text.includes(`"${label}"`) === theirs && !text.includes("canary-view") && status === (theirs ? 409 : 404);
      return unless(held, `${name}: a view ${label}`, [status, text]);
    });
  }
});
