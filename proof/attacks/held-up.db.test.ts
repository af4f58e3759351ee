import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { poolDb } from "../../lib/store/db";
import { createTestDatabase, type TestDatabase } from "../../lib/testing/database/database";
import { ChildConsole } from "../../lib/testing/processes/crash";
import { aRun } from "../../lib/testing/rows/a-run";
import { aLongRun } from "../../lib/testing/rows/long-run";
import { addressOf, ENDPOINTS } from "./fields";
import { attackTable, unless } from "./table";

/*
 * A console in a separate process, which reports its longest event loop turn, and a health probe during each attack.
 * The bound is not a time, for machines differ and are busy: a fixed piece of work takes its time in the same process,
 * before and after each attack, and no turn may take longer than five of it. On an idle, ordinary machine that is
 * 50 ms.
 */

const OPEN_WORKFLOWS = fileURLToPath(new URL("../../lib/testing/workflows/open-workflows.ts", import.meta.url));

let database: TestDatabase;
let served: ChildConsole;
let runId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const db = poolDb(database.pool);
  await database.pool.query(
    "insert into handrail.workflow (name, version, title, masked) values ('vault', 1, 'Vault', '{secrets}')",
  );
  const secrets = Array.from({ length: 1_900 }, (_, n) => `secret-${n}x`);
  const input = JSON.stringify({ secrets, text: "secret-7x, ".repeat(80_000) });
  runId = await aRun(db, { workflow: "vault", input }).failedAt("charge-payment");
  served = await ChildConsole.spawn(database, { workflows: OPEN_WORKFLOWS });
  await heldBy(() => start("/v1/runs", anInput("1")));
});
afterAll(async () => {
  await served?.kill();
  await database.drop();
});

const holds = attackTable("held up", 4);

/** In yardsticks. */
const LONGEST_TURN = 5;
const TRIES = 3;

interface Held {
  /** The longest turn, in yardsticks. */
  turn: number;
  ms: number;
  status: number;
}

/** The longest turn of the console while it answered the request and a health probe. */
async function heldBy(request: () => Promise<Response>): Promise<Held> {
  let over = false;
  await takeYardstick();
  await askedMs("/longest-turn");
  const probing = (async () => {
    while (!over) {
      const { status } = await fetch(`${served.url}/health/live`);
      expect(status).toBe(200);
      await pause(5);
    }
  })();
  // One that is refused before its body has arrived may find its connection closed.
  const response = await request().catch(() => new Response(null, { status: 413 }));
  await response.text();
  over = true;
  await probing;
  const ms = await askedMs("/longest-turn");
  return { turn: ms / (await takeYardstick()), ms, status: response.status };
}

const YARDSTICKS = 5;
const yardsticks: number[] = [];

/** The middle one of the last few, in milliseconds of processor time. */
async function takeYardstick(): Promise<number> {
  do yardsticks.push(await askedMs("/yardstick"));
  while (yardsticks.length < YARDSTICKS);
  yardsticks.splice(0, yardsticks.length - YARDSTICKS);
  return [...yardsticks].sort((a, b) => a - b)[Math.floor(YARDSTICKS / 2)] as number;
}

async function askedMs(path: string): Promise<number> {
  const response = await fetch(`${served.url}${path}`);
  return ((await response.json()) as { ms: number }).ms;
}

/** Repeated, because garbage collection or first use of code can lengthen a single turn. */
async function leastHeldBy(request: () => Promise<Response>): Promise<Held> {
  let least = await heldBy(request);
  for (let tries = 1; least.turn > LONGEST_TURN && tries < TRIES; tries++) {
    const held = await heldBy(request);
    if (held.turn < least.turn) least = held;
  }
  return least;
}

const unlessHeld = (held: Held, label: string) => unless(held.turn <= LONGEST_TURN && held.status < 500, label, held);

const start = (path: string, body: string) =>
  fetch(`${served.url}${path}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
  });

it("no read of a run with 1,900 masked values and 900 kB of text holds the event loop", async () => {
  const reads = ENDPOINTS.filter(
    ({ method, path }) => method === "GET" && /^\/v1\/(runs|problems|effects|overview|search)/.test(path),
  );
  await holds(reads, async (endpoint) => {
    const address = `${served.url}${addressOf(endpoint, { runId, step: "charge-payment" })}`;
    const query = endpoint.path === "/v1/search" ? "?q=vault" : "";
    return unlessHeld(await leastHeldBy(() => fetch(`${address}${query}`)), endpoint.path);
  });
});

const ofManySteps = () => aLongRun(poolDb(database.pool), { steps: 5_000, generations: 1 });

it("no read of a run of 5,000 steps does, either", async () => {
  const long = await ofManySteps();
  const reads = ENDPOINTS.filter(({ method, path }) => method === "GET" && path.startsWith("/v1/runs/{runId}"));
  await holds(reads, async (endpoint) => {
    const address = `${served.url}${addressOf(endpoint, { runId: long, step: "send-report" })}`;
    return unlessHeld(await leastHeldBy(() => fetch(address)), endpoint.path);
  });
});

it("no action on such a run does", async () => {
  const acts = ["reruns", "unmasking"];
  await holds(acts, async (act) => {
    const runs = await Promise.all(Array.from({ length: TRIES }, ofManySteps));
    const held = await leastHeldBy(() =>
      start(`/v1/runs/${runs.pop()}/${act}`, JSON.stringify({ reason: "Attacked" })),
    );
    return unlessHeld(held, act) ?? unless(held.status < 300, act, held);
  });
});

it("no body of the length that its endpoint takes does, whatever is in it", async () => {
  const taking = ENDPOINTS.filter(({ body, path }) => body !== null && !path.startsWith("/v1/sandbox"));
  const shapes = [
    (bytes: number) => `[${"0,".repeat(bytes / 2 - 2)}0]`,
    (bytes: number) => `{"input":[${'{"a":1},'.repeat(bytes / 8 - 4)}0]}`,
  ];
  const rows = taking.flatMap((endpoint) => shapes.map((shape) => ({ endpoint, shape })));
  await holds(rows, async ({ endpoint, shape }) => {
    const { method, path } = endpoint;
    const address = `${served.url}${addressOf(endpoint, { runId, step: "charge-payment" })}`;
    const body = shape(endpoint.maxBodyBytes);
    const headers = { "content-type": "application/json" };
    return unlessHeld(await leastHeldBy(() => fetch(address, { method, body, headers })), `${method} ${path}`);
  });
});

const MIB = 1_048_576;
const anInput = (input: string) => `{"workflow":"takes-anything","input":${input}}`;
const starts = (count: number, one: (index: number) => string) =>
  `{"workflow":"takes-anything","runs":[${Array.from({ length: count }, (_, index) => one(index)).join(",")}]}`;
const tagsOf = (run: number) => Array.from({ length: 4 }, (_, tag) => `"tag${tag}":"value ${run}"`).join(",");

/** Of a start of many, at 16 MiB or at 10,000 runs. */
const MANY: Record<string, () => string> = {
  "10,000 long inputs": () => starts(10_000, (n) => `{"input":{"n":${n},"text":"${"x".repeat(1_500)}"}}`),
  "4,000 with keys and tags": () =>
    starts(4_000, (n) => `{"input":[${"{},".repeat(70)}0],"idempotencyKey":"key-${n}","tags":{${tagsOf(n)}}}`),
  "one with different keys": () => starts(1, () => `{"input":{${differentKeys(29_900)}}}`),
  "15 of a mebibyte": () => starts(15, () => `{"input":"${"x".repeat(MIB - 10)}"}`),
  "a text of 16 MiB": () => starts(1, () => `{"input":"${'\\"'.repeat(8 * MIB - 100)}"}`),
  "blanks of 16 MiB": () => `{${" ".repeat(16 * MIB - 100)}"workflow":"takes-anything"}`,
  "empty lists of 16 MiB": () => `[${"[],".repeat(5 * MIB)}0]`,
};
const differentKeys = (count: number) => Array.from({ length: count }, (_, n) => `"k${n}":0`).join(",");
const ONE: Record<string, () => string> = {
  "empty lists": () => anInput(`[${"[],".repeat(99_000)}0]`),
  "empty objects": () => anInput(`[${"{},".repeat(99_000)}0]`),
  zeros: () => anInput(`[${"0,".repeat(199_000)}0]`),
  "empty texts": () => anInput(`[${'"",'.repeat(199_000)}0]`),
  "tagged values": () => anInput(`[${'{"$type":"undefined"},'.repeat(45_000)}0]`),
  "different keys": () => anInput(`{${differentKeys(19_900)}}`),
  "different keys and a tagged value": () => anInput(`{${differentKeys(19_900)},"at":{"$type":"undefined"}}`),
  "different keys of many": () => anInput(`[{${differentKeys(19_900).replaceAll(",", "},{")}}]`),
  "a long text": () => anInput(`"${"x".repeat(MIB - 10)}"`),
};

it("no start that is taken does, of one run or of as many as go", async () => {
  const rows = [
    ...Object.entries(MANY).map(([name, body]) => ({ path: "/v1/runs/batch", name, body })),
    ...Object.entries(ONE).map(([name, body]) => ({ path: "/v1/runs", name, body })),
  ];
  await holds(rows, async ({ path, name, body }) => {
    return unlessHeld(await leastHeldBy(() => start(path, body())), `${path} ${name}`);
  });
});
