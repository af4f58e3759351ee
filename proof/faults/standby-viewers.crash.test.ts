import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { workflows } from "../../demo/workflows/index";
import { createClient } from "../../lib/client/client";
import { WAL_HEADER } from "../../lib/engine/wal-position";
import { exportEffects } from "../../lib/operator/effects/export-effects";
import { type Db, poolDb } from "../../lib/store/db";
import { examineStandby } from "../../lib/store/standby/examine-standby";
import { registerWorkflows } from "../../lib/store/workers/workers";
import { handrail } from "../../lib/testing/cli/handrail";
import { ChildConsole } from "../../lib/testing/processes/crash";
import { aRun } from "../../lib/testing/rows/a-run";
import { until } from "../../lib/testing/until";
import { freePort } from "../../scripts/ports";
import { aStandbySite, idsIn, isFromStandby, type StandbySite, standbyOf } from "./standby-site";

/*
 * Two consoles behind one address, which read from one standby: a person, a program and a shell see at either what they
 * did at the other; what they act on is decided by the primary, however old the sight was. And what the doctor says.
 */

let { pair, close } = {} as StandbySite;
let db: Db;
/** Where the viewers of these tests write, and where they read. */
let writes: ChildConsole;
let reads: ChildConsole;
beforeAll(async () => {
  ({ pair, close } = await aStandbySite({ maxLagMs: 60_000 }));
  db = poolDb(pair.database.pool);
  await registerWorkflows(db, workflows);
  [writes, reads] = await Promise.all([ChildConsole.spawn(pair.database), ChildConsole.spawn(pair.database)]);
});
afterAll(async () => {
  await Promise.all([writes?.kill(), reads?.kill()]);
  await close?.();
});
afterEach(() => pair.standby.resumeReplay());

async function ask(console: ChildConsole, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(console.url + path, { headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const list = (headers: Record<string, string> = {}) => ask(reads, "/v1/runs?limit=200", headers);

/** From here on the standby receives commits and shows none of them. */
async function goStale(): Promise<void> {
  await until("A read from the standby", async () => isFromStandby(await list()));
  await until("The standby's copy", () => pair.hasCaughtUp());
  await pair.standby.pauseReplay();
}

const input = (name: string) => ({ accountId: name, amountCents: 1 });

it("what a browser did at one console is there at the other, by its cookie", async () => {
  await goStale();
  const body = { workflow: "account-credit", input: input("a browser") };
  const started = await fetch(`${writes.url}/v1/runs`, { method: "POST", body: JSON.stringify(body) });
  const { id } = (await started.json()) as { id: string };
  const others = await list();
  expect([isFromStandby(others), idsIn(others).includes(id)]).toEqual([true, false]);
  const own = await list({ cookie: `theme=dark; ${WAL_HEADER}=${started.headers.get(WAL_HEADER)}` });
  expect([isFromStandby(own), idsIn(own).includes(id)]).toEqual([false, true]);
});

it("what a program did at one console is there at the other, by the memory of its client", async () => {
  await goStale();
  const EITHER = "http://either.invalid";
  const client = createClient({
    url: EITHER,
    fetch: (address, init) => {
      const console = init?.method === "POST" ? writes : reads;
      return fetch(String(address).replace(`${EITHER}/api`, console.url), init);
    },
  });
  const { id } = await client.start("account-credit", input("a program"));
  expect((await client.list({ limit: 200 })).runs.map((run) => run.id)).toContain(id);
  expect(idsIn(await list())).not.toContain(id);
});

it("what one command of a shell did is there for the next, at whichever console", async () => {
  await goStale();
  const at = (console: ChildConsole, ...args: string[]) =>
    handrail([...args, "--json"], { env: { HANDRAIL_URL: console.url.replace(/\/api$/, "") } });
  const given = JSON.stringify(input("a shell"));
  const { id } = JSON.parse((await at(writes, "runs", "start", "account-credit", "--input", given)).out);
  const listed = await at(reads, "runs", "list", "--limit", "200");
  expect(listed.code).toBe(0);
  expect(listed.out).toContain(id);
  expect(idsIn(await list())).not.toContain(id);
});

it("no action is decided by a stale sight: not an action on a run, not a plan of it, not a plan by a filter", async () => {
  const runId = await aRun(db).pending();
  await goStale();
  const cancellation = `/v1/runs/${runId}/cancellation`;
  expect((await writes.post(cancellation, { reason: "a test" })).status).toBe(202);
  const stale = await ask(reads, `/v1/runs/${runId}`);
  expect([isFromStandby(stale), stale.body.status]).toEqual([true, "pending"]);

  const planOf = async (selection: object) => {
    const { status, body } = await reads.post("/v1/plans", { act: "cancel", params: {}, selection });
    return { status, ...(body as { counts: { included: number }; items: { runId: string; included: boolean }[] }) };
  };
  const named = await planOf({ runIds: [runId] });
  expect(named).toMatchObject({ status: 201, counts: { included: 0 }, items: [{ runId, included: false }] });
  const filtered = await planOf({ filter: { status: ["pending"] } });
  expect(filtered.items.map((item) => item.runId)).not.toContain(runId);

  const { revision } = stale.body;
  const again = await reads.post(cancellation, { reason: "a test", revision });
  expect(again).toMatchObject({ status: 409, body: { error: { code: "changed" } } });
  expect((await reads.post(cancellation, { reason: "a test" })).status).toBe(409);
});

const there = async (reader: Db) =>
  (await reader.query<{ there: boolean }>({ name: "", text: "select pg_is_in_recovery() as there" }, []))[0]?.there;

it("with every connection to the standby lent, the primary answers at once, and the standby is not left", async () => {
  await standbyOf(pair, pair.standby.url, async (standby, reasons) => {
    const slow = { name: "", text: "select pg_is_in_recovery() as there, pg_sleep(3)" };
    const sleepers = Array.from({ length: 10 }, () => standby.reader(null).db.query<{ there: boolean }>(slow, []));
    const since = performance.now();
    expect(await there(standby.reader(null).db)).toBe(false);
    expect(performance.now() - since).toBeLessThan(1_000);
    expect((await Promise.all(sleepers)).map(([row]) => row?.there)).toEqual(sleepers.map(() => true));
    expect(await there(standby.reader(null).db)).toBe(true);
    expect(reasons).toEqual([null]);
  });
});

/** Of several effects each: more than an export reads at once. */
const RUNS = 400;

it("an export whose standby hangs half-way goes on from the primary, with each effect once", async () => {
  const workflow = "exported";
  const runIds: string[] = [];
  for (let index = 0; index < RUNS; index++) runIds.push(await aRun(db, { workflow }).completed());
  await standbyOf(pair, pair.standby.url, async (standby) => {
    await until("The standby's copy", () => pair.hasCaughtUp());
    const reader = standby.reader(null);
    await reader.begin();
    const lines = exportEffects(reader.db, { workflow: [workflow] }, "ndjson", async (items) => [...items]);
    const exported: string[] = [];
    const take = (text: string) => {
      for (const line of text.trim().split("\n")) exported.push(JSON.parse(line).runId);
    };
    take((await lines.next()).value as string);
    expect(new Set(exported).size).toBeLessThan(RUNS);
    expect(reader.place).toBe("standby");
    await aRun(db, { workflow }).completed();
    const goOn = await pair.standby.hang();
    try {
      for await (const text of lines) take(text);
    } finally {
      goOn();
    }
    expect(reader.place).toBe("both");
    const ofOne = exported.filter((id) => id === runIds[0]).length;
    expect(exported).toEqual([...runIds].reverse().flatMap((id) => Array.from({ length: ofOne }, () => id)));
  });
});

const reasonOf = async (databaseUrl: string, maxLagMs = 60_000) =>
  (await examineStandby({ databaseUrl, maxLagMs }, db)).hits.map(({ because }) => String(because));
const REASONS: [string, () => string | Promise<string>, string][] = [
  ["a primary", () => pair.database.url, "not in recovery"],
  ["another database", () => pair.standby.url.replace(/\/[^/]*$/, "/postgres"), "another database"],
  ["nobody", async () => pair.standby.url.replace(/:\d+\//, `:${await freePort()}/`), "ECONNREFUSED"],
  ["a wrong password", () => pair.standby.url.replace(/\/\/[^@]*@/, "//handrail_nobody:wrong@"), "handrail_nobody"],
];

it.each(REASONS)("the doctor says that there is %s at the address", async (_, url, reason) => {
  expect(await reasonOf(await url())).toEqual([expect.stringContaining(reason)]);
});

it("the doctor says that a standby is behind, and nothing of one that is well", async () => {
  expect(await reasonOf(pair.standby.url)).toEqual([]);
  await pair.standby.pauseReplay();
  await until("A lag", async () => (await reasonOf(pair.standby.url, 100)).some((text) => text.includes("ms behind")));
});

it("`handrail doctor` examines the standby as well", async () => {
  const doctor = (url: string) =>
    handrail(["doctor"], { env: { DATABASE_URL: pair.database.url, DATABASE_READ_URL: url } });
  expect((await doctor(pair.standby.url)).out).toMatch(/^ok +The standby of DATABASE_READ_URL can be read from$/m);
  const wrong = await doctor(pair.database.url);
  expect(wrong.out).toMatch(/^!! +The standby of DATABASE_READ_URL can be read from\n.*\n.*not in recovery/m);
  expect(wrong.code).toBe(1);
});
