import { afterAll, beforeAll, expect, it } from "vitest";
import { BOOTSTRAP, bearer } from "../../lib/testing/api/with-sign-in";
import { addressOf, ENDPOINTS, queryNames } from "./fields";
import { type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

let scene: Scene;
beforeAll(async () => {
  scene = await theScene();
});
afterAll(() => scene.close());

const holds = attackTable("resources");
const SLOWEST_MS = 3_000;

/** How long a reader waits meanwhile. */
async function bystander(): Promise<number> {
  const startedAt = performance.now();
  const { status } = await scene.boot("GET", "/v1/runs?limit=1");
  expect(status).toBe(200);
  return performance.now() - startedAt;
}

it("no text in a search or a filter keeps anybody busy", async () => {
  const texts = [
    `${"a".repeat(300)}!`,
    `${"(".repeat(150)}${")".repeat(149)}`,
    "(a+)+$",
    `${"%".repeat(299)}x`,
    `${"_%".repeat(149)}x`,
    `${"\\".repeat(299)}`,
    " ".repeat(299),
    `${"0".repeat(299)}`,
    `${"-".repeat(299)}`,
    `${"ﷺ".repeat(100)}`,
    `${"a\u0301".repeat(140)}`,
    ",".repeat(5_000),
    Array.from({ length: 2_000 }, (_, n) => `w${n}`).join(),
    "a,".repeat(10_000),
  ];
  const rows = ENDPOINTS.filter(({ method }) => method === "GET").flatMap((endpoint) =>
    queryNames(endpoint).flatMap((name) => texts.map((text) => ({ endpoint, name, text }))),
  );
  await holds(rows, async ({ endpoint, name, text }) => {
    const startedAt = performance.now();
    const path = `${addressOf(endpoint, { runId: scene.own.failed })}?${new URLSearchParams({ [name]: text })}`;
    const response = await scene.send("GET", path, { headers: bearer(BOOTSTRAP) });
    await response.text();
    const ms = performance.now() - startedAt;
    return unless(ms < SLOWEST_MS && response.status < 500, `${name} of ${endpoint.path}`, {
      ms,
      status: response.status,
    });
  });
});

it("more than a page, a list or a body may hold is refused before any work", async () => {
  const many = <T>(count: number, item: (n: number) => T) => Array.from({ length: count }, (_, n) => item(n));
  const id = scene.own.failed;
  const requests: [string, string, object?][] = [
    ["GET", "/v1/runs?limit=1000000000"],
    ["GET", "/v1/runs?limit=-1"],
    ["GET", `/v1/runs?${many(300, (n) => `tag.t${n}=x`).join("&")}`],
    ["GET", `/v1/runs?status=${many(10_000, () => "failed").join()}`],
    ["GET", `/v1/runs?${many(5_000, (n) => `f${n}=1`).join("&")}`],
    ["GET", `/v1/runs/${id}/result?waitMs=999999999`],
    ["GET", "/v1/schedules/a-schedule/backfills?from=0001-01-01T00:00:00Z&to=9999-01-01T00:00:00Z"],
    [
      "POST",
      "/v1/schedules/a-schedule/backfills",
      { from: "2000-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z", reason: "all" },
    ],
    ["POST", "/v1/runs/batch", { workflow: "user-sync", runs: many(10_001, () => ({ input: {} })) }],
    ["POST", "/v1/plans", { act: "rerun", params: {}, selection: { runIds: many(10_001, () => id) } }],
    [
      "POST",
      "/v1/runs",
      { workflow: "user-sync", input: {}, tags: Object.fromEntries(many(1_000, (n) => [`t${n}`, "x"])) },
    ],
    [
      "POST",
      "/v1/worker/registrations",
      { name: "w", language: "l", workflows: many(101, (n) => ({ name: `w${n}` })) },
    ],
    ["POST", "/v1/worker/drives", { maxMs: 1e12 }],
    ["POST", `/v1/runs/${id}/reruns`, { reason: "x".repeat(2_001) }],
    ["POST", `/v1/runs/${id}/reruns`, { reason: "x".repeat(300_000) }],
    ["PUT", "/v1/schedules/a-schedule/override", { everyMs: 1, reason: "often" }],
    ["PUT", "/v1/schedules/a-schedule/override", { everyMs: -1, reason: "often" }],
    ["PUT", "/v1/schedules/another", { workflow: "takes-anything", everyMs: 1, reason: "often" }],
    ["PUT", "/v1/schedules/a-schedule/override", { cron: "0 0 30 2 *", timeZone: "UTC", reason: "never" }],
    [
      "PUT",
      "/v1/schedules/a-schedule/override",
      { cron: `${"*/1,".repeat(40)}1 * * * *`, timeZone: "UTC", reason: "x" },
    ],
    ["PUT", "/v1/schedules/a-schedule/override", { cron: "* * * * *", timeZone: "../../etc/passwd", reason: "x" }],
  ];
  await holds(requests, async ([method, path, body]) => {
    const startedAt = performance.now();
    const { status } = await scene.boot(method, path, body);
    const ms = performance.now() - startedAt;
    return unless(
      [400, 404, 409, 413, 414, 422].includes(status) && ms < SLOWEST_MS,
      `${method} ${path.slice(0, 80)}`,
      { status, ms },
    );
  });
});

it("a body is not what it says of its length, nor packed, nor without an end", async () => {
  const lengths = ["5368709120", "99999999999999999999", "2097153", "1e12", "Infinity"];
  const endless = () =>
    new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)) });
  const bodies: [string, Record<string, string>, BodyInit][] = [
    ...lengths.map((length): [string, Record<string, string>, BodyInit] => [
      `declared ${length}`,
      { "content-length": length },
      "{}",
    ]),
    ["packed", { "content-encoding": "gzip" }, Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)],
    ["packed in brotli", { "content-encoding": "br" }, Uint8Array.of(0x8b, 0x02, 0x80)],
    ["packed twice", { "content-encoding": "gzip, gzip" }, Uint8Array.of(0x1f, 0x8b)],
    ["without an end", {}, endless()],
    ["of spaces", {}, " ".repeat(3_000_000)],
  ];
  await holds(bodies, async ([label, headers, body]) => {
    const handler = scene.api.POST;
    const startedAt = performance.now();
    const init = {
      method: "POST",
      body,
      duplex: "half",
      headers: { "content-type": "application/json", ...bearer(BOOTSTRAP), ...headers },
    };
    const { status } = await handler(new Request("http://127.0.0.1:3000/api/v1/runs", init as RequestInit));
    const ms = performance.now() - startedAt;
    return unless([400, 413, 422].includes(status) && ms < SLOWEST_MS, label, { status, ms });
  });
});

it("a body that does not come keeps nobody else waiting, and one who may not send it is not waited for", async () => {
  const slow = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
  const handler = scene.api.POST;
  const send = (headers: Record<string, string>, body: ReadableStream) =>
    handler(
      new Request("http://127.0.0.1:3000/api/v1/runs", {
        ...{ method: "POST", body, duplex: "half" },
        headers: { "content-type": "application/json", ...headers },
      } as RequestInit),
    );
  const pending = Array.from({ length: 30 }, () => send(bearer(BOOTSTRAP), new ReadableStream({})));
  void pending;
  await holds(
    Array.from({ length: 10 }, (_, n) => n),
    async () => {
      const ms = await bystander();
      return unless(ms < SLOWEST_MS, "a bystander", ms);
    },
  );
  await holds([{}, bearer(await scene.mint(["viewer"]))] as Record<string, string>[], async (headers) => {
    const { status } = await send(headers, slow.locked ? new ReadableStream({}) : slow);
    return unless(status === 401 || status === 403, "refused before its body", status);
  });
});

it("no two people, with however many sessions and tokens, take every place of those who follow changes", async () => {
  const PASSWORD = "correct horse battery";
  /** Two sessions, or two tokens that one person has made. */
  const twice = async (name: string) => {
    const cookie = await scene.person(name, PASSWORD, { role: "admin" });
    const asked = { body: { name, password: PASSWORD } };
    return [{ cookie }, { cookie: scene.cookieOf(await scene.ask("POST", "/v1/session", asked)) }];
  };
  const tokens = async (maker: Record<string, string>) => {
    const body = { name: "made", scopes: ["viewer"], expiresInDays: 1, reason: "to listen" };
    const make = () => scene.withCookie(maker.cookie as string, "POST", "/v1/tokens", { body });
    return [bearer((await make()).body.secret), bearer((await make()).body.secret)];
  };
  const [greedy, alike] = [await twice("greedy"), await twice("alike")];
  const makers = { greedy, alike, "tokens of greedy": await tokens(greedy[0] as { cookie: string }) };
  const abort = new AbortController();
  const follow = async (headers: Record<string, string>) => {
    const response = await scene.send("GET", "/v1/stream", { headers, signal: abort.signal });
    if (response.status === 200) await response.body?.getReader().read();
    return response.status;
  };
  const taken: Record<string, number> = {};
  for (const [name, credentials] of Object.entries(makers)) {
    const statuses: number[] = [];
    for (let n = 0; n < 300; n++) statuses.push(await follow(credentials[n % 2] as Record<string, string>));
    taken[name] = statuses.filter((status) => status === 200).length;
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
  }
  const others = [...(await twice("other")), bearer(await scene.mint(["viewer"]))];
  await holds(
    Array.from({ length: 12 }, (_, n) => others[n % 3] as Record<string, string>),
    async (headers) => {
      const status = await follow(headers);
      return unless(status === 200, "another's stream", status);
    },
  );
  expect(taken).toEqual({ greedy: 250, alike: 150, "tokens of greedy": 10 });
  expect(await bystander()).toBeLessThan(SLOWEST_MS);
  abort.abort();
});
