import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { ENDPOINTS } from "../../lib/api/all-endpoints";
import { AGE_HEADER as AGE, WAL_HEADER as WAL } from "../../lib/engine/wal-position";
import { Notifier } from "../../lib/store/database/notifier";
import { type Db, poolDb } from "../../lib/store/db";
import { selectWalPosition } from "../../lib/store/standby/sight";
import type { Standby } from "../../lib/store/standby/standby";
import { aRun } from "../../lib/testing/rows/a-run";
import { aWorker } from "../../lib/testing/rows/run-rows";
import { until } from "../../lib/testing/until";
import { onServer } from "./rig";
import { aStandbySite, idsIn, isFromStandby, type StandbySite, standbyOf } from "./standby-site";

/*
 * The console's API, reading from a real standby: what one viewer has done or seen is never missing from what they read
 * next, and the primary answers whatever the standby cannot.
 */

let { pair, api, close } = {} as StandbySite;
beforeAll(async () => {
  ({ pair, api, close } = await aStandbySite());
});
afterAll(() => close?.());

/** A viewer who carries no position: of another console, or who has done nothing. */
const list = (headers: Record<string, string> = {}) => api.ask("GET", "/v1/runs?limit=200", { headers });
/** Written by no request of this console: by a worker, or at another console. */
const startElsewhere = () => aRun(poolDb(pair.database.pool)).pending();
const cancel = (runId: string) => api.ask("POST", `/v1/runs/${runId}/cancellation`, { body: { reason: "a test" } });
const readHere = () => until("A read from the standby", async () => isFromStandby(await list()));
const positionOfPrimary = () => selectWalPosition(poolDb(pair.database.pool));

beforeEach(readHere);
// Also where a test fails; a promoted one has nothing to resume.
afterEach(() => pair.standby.resumeReplay().catch(() => undefined));

it("reads from the standby, and says how old that is", async () => {
  const read = await list();
  expect(read.status).toBe(200);
  expect(Number(read.headers.get(AGE))).toBeLessThan(3_000);
  expect(read.headers.get(WAL)).toMatch(/^[\dA-F]+\/[\dA-F]+$/);
  const lag = Date.now() - Date.parse(read.body.updatedAt);
  expect(lag).toBeGreaterThanOrEqual(Number(read.headers.get(AGE)));
});

it("every read that may be answered there runs there: none writes, locks rows or needs a primary", async () => {
  const runId = await startElsewhere();
  const parameters: Record<string, string> = { runId };
  const queries: Record<string, string> = {
    "/v1/search": "?q=order",
    "/v1/logs": "?q=order",
  };
  // The run has no value in a blob store.
  const asked = ENDPOINTS.filter(({ standby, path }) => standby && !path.endsWith("/value"));
  const paths = asked.flatMap(({ path }) => {
    const filled = path.replace(/\{(\w+)\}/g, (hole, name) => parameters[name] ?? hole);
    return filled.includes("{") ? [] : [filled + (queries[path] ?? "")];
  });
  await until("The standby's copy of the run", () => pair.hasCaughtUp());
  const elsewhere: string[] = [];
  for (const path of paths) {
    const response = await api.send("GET", path);
    await response.text();
    if (response.status === 200 && !isFromStandby(response)) elsewhere.push(path);
    if (response.status !== 200) elsewhere.push(`${path} ${response.status}`);
  }
  expect(paths.length).toBeGreaterThan(15);
  expect(elsewhere).toEqual([]);
});

it("metrics say how far it is behind, and which place answered", async () => {
  const text = await (await api.send("GET", "/v1/metrics")).text();
  expect(text).toMatch(/^handrail_standby_lag_seconds [0-2]\b/m);
  expect(text).toMatch(/^handrail_reads_total\{place="standby"\} [1-9]/m);
  expect(text).toMatch(/^handrail_reads_total\{place="primary"\} \d/m);
});

it("while the standby lags: shows its own sight with its age, and to no viewer less than they have done or seen", async () => {
  await pair.standby.pauseReplay();
  const runId = await startElsewhere();
  const stale = await list();
  expect(isFromStandby(stale)).toBe(true);
  expect(idsIn(stale)).not.toContain(runId);

  const position = await positionOfPrimary();
  const carrying: Record<string, string>[] = [{ [WAL]: position }, { cookie: `theme=dark; ${WAL}=${position}` }];
  for (const headers of carrying) {
    const seen = await list(headers);
    expect(isFromStandby(seen)).toBe(false);
    expect(idsIn(seen)).toContain(runId);
  }
  // The standby does not know it; no 404 where the primary can answer.
  expect((await api.ask("GET", `/v1/runs/${runId}`)).status).toBe(200);

  const cancelled = await cancel(runId);
  expect(cancelled.headers.get(WAL)).not.toBeNull();
  expect((await api.ask("GET", `/v1/runs/${runId}`)).body.status).toBe("cancelled");
  expect(idsIn(await list())).toContain(runId);

  await pair.standby.resumeReplay();
  await readHere();
  expect(idsIn(await list())).toContain(runId);
  expect((await api.ask("GET", `/v1/runs/${runId}`)).body.status).toBe("cancelled");
});

it("a worker that keeps its lease passes for alive on a standby that is further behind than the lease", async () => {
  const { pool } = pair.database;
  const runId = await aRun(poolDb(pool)).asleepAfter("charge-payment");
  const workerId = await aWorker(poolDb(pool), { leaseMs: 1_000 });
  const beating = setInterval(
    () =>
      void pool.query(
        "update handrail.worker set lease_expires_at = clock_timestamp() + interval '1 s' where id = $1",
        [workerId],
      ),
    200,
  );
  await until("The standby's copy of both", () => pair.hasCaughtUp());
  await pair.standby.pauseReplay();
  await delay(1_500);
  const read = await api.ask("GET", `/v1/runs/${runId}`);
  clearInterval(beating);
  expect({ fromStandby: isFromStandby(read), workerAvailable: read.body.workerAvailable }).toEqual({
    fromStandby: true,
    workerAvailable: true,
  });
  await pair.standby.resumeReplay();
  await until("Its end, by the primary's clock", async () => {
    const { body } = await api.ask("GET", `/v1/runs/${runId}`);
    return body.workerAvailable === false;
  });
});

it("a read after a message of the stream shows the change that it is about", async () => {
  const notifier = new Notifier(poolDb(pair.database.pool));
  const leave = new AbortController();
  const stream = await api.send("GET", "/v1/stream", { signal: leave.signal });
  await pair.standby.pauseReplay();
  const runId = await startElsewhere();
  // A note from before the console listens is not heard.
  const notes = setInterval(() => notifier.changeAtOnce([runId]), 200);
  const { wal } = await messageAbout(runId, stream);
  clearInterval(notes);
  leave.abort();
  expect(wal).toMatch(/^[\dA-F]+\/[\dA-F]+$/);
  expect(idsIn(await list({ [WAL]: wal }))).toContain(runId);
  await notifier.close();
});

async function messageAbout(runId: string, stream: Response): Promise<{ wal: string }> {
  for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
    const text = Buffer.from(chunk).toString();
    if (text.includes(runId)) return JSON.parse(/data: (.*)/.exec(text)?.[1] as string);
  }
  throw new Error("The stream ended.");
}

it("a standby that is further behind than allowed is not read from, and the health of the database says so", async () => {
  const finding = async () => {
    const { body } = await api.ask("GET", "/v1/database");
    return body.findings.find(({ what }: { what: string }) => what === "standby");
  };
  expect(await finding()).toEqual({ what: "standby", level: "good", advice: null });
  await pair.standby.pauseReplay();
  const runId = await startElsewhere();
  await until("A read from the primary", async () => !isFromStandby(await list()));
  expect(idsIn(await list())).toContain(runId);
  expect(await finding()).toMatchObject({ level: "watch", advice: expect.stringMatching(/is \d+ ms behind/) });
});

it("exports are read there, too, and say their age before they begin", async () => {
  const exported = await api.send("GET", "/v1/effects/export");
  expect(isFromStandby(exported)).toBe(true);
  expect(exported.status).toBe(200);
  await exported.text();
});

it("a position that is none is refused in a header and ignored in a cookie", async () => {
  expect(await list({ [WAL]: "latest" })).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } });
  expect((await list({ cookie: `${WAL}=latest` })).status).toBe(200);
});

it("while the standby hangs, one read waits a second for it, and the others not at all", async () => {
  const goOn = await pair.standby.hang();
  const since = performance.now();
  const first = await list();
  const second = performance.now();
  const others = await Promise.all([list(), list(), list()]);
  const end = performance.now();
  goOn();
  expect([first, ...others].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect([first, ...others].some(isFromStandby)).toBe(false);
  expect(second - since).toBeLessThan(3_000);
  expect(end - second).toBeLessThan(1_000);
});

it("a standby that is killed costs no error, and is read from again when it is back", async () => {
  await pair.standby.kill();
  const reads = await Promise.all([list(), list(), list()]);
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(reads.some(isFromStandby)).toBe(false);
  await pair.standby.revive();
  await readHere();
});

const aStandby = (databaseUrl: string, use: (standby: Standby, reasons: (string | null)[]) => Promise<void>) =>
  standbyOf(pair, databaseUrl, use);
const inRecovery = async (db: Db) =>
  (await db.query<{ there: boolean }>({ name: "", text: "select pg_is_in_recovery() as there" }, []))[0]?.there;

it("a read that recovery cancels is answered by the primary, and the standby is read from as before", async () => {
  await onServer(pair.standby.url, "alter system set max_standby_streaming_delay = '50ms'");
  await onServer(pair.standby.url, "select pg_reload_conf()");
  await aStandby(pair.standby.url, async (standby, reasons) => {
    const reader = standby.reader(null);
    const slow =
      "select pg_is_in_recovery() as there, pg_sleep(case when pg_is_in_recovery() then 4 else 0 end) from public.beat";
    const read = reader.db.query<{ there: boolean }>({ name: "", text: slow }, []);
    await until("The read on the standby", async () => {
      const found = await onServer(
        pair.standby.url,
        "select from pg_stat_activity where query like 'select pg_is_in_recovery() as there, pg_sleep%'",
      );
      return found.length > 0;
    });
    // Its replay asks for the lock that the read holds.
    await pair.database.pool.query("alter table public.beat add column more int");
    expect(await read).toMatchObject([{ there: false }]);
    expect(reader.place).toBe("primary");
    expect(await inRecovery(standby.reader(null).db)).toBe(true);
    expect(reasons).toEqual([null]);
  });
});

it("what the standby does not have yet, a table of a later migration, the primary answers", async () => {
  await aStandby(pair.standby.url, async (standby, reasons) => {
    await pair.standby.pauseReplay();
    await pair.database.pool.query("create table public.later as select 1 as one");
    const reader = standby.reader(null);
    expect(await reader.db.query({ name: "", text: "select one from public.later" }, [])).toEqual([{ one: 1 }]);
    expect(reasons.at(-1)).toContain("later");
  });
});

it.each([
  ["a primary", () => pair.database.url, "not in recovery"],
  ["another database", () => pair.standby.url.replace(/\/[^/]*$/, "/postgres"), "another database"],
])("%s is no standby of this one", async (_, url, reason) => {
  await aStandby(url(), async (standby, reasons) => {
    expect(reasons).toEqual([expect.stringContaining(reason)]);
    const reader = standby.reader(null);
    expect(await inRecovery(reader.db)).toBe(false);
    expect(reader.place).toBe("primary");
  });
});

it("a standby that was promoted is not read from any more", async () => {
  await onServer(pair.standby.url, "select pg_promote()");
  const read = await list();
  expect(read.status).toBe(200);
  expect(isFromStandby(read)).toBe(false);
  const runId = await startElsewhere();
  expect(idsIn(await list())).toContain(runId);
});
