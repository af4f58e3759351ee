import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { cellFor } from "../../engine/fleet/placement";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { blocksOf } from "../../testing/doc-snippets";
import { createHandrail, defineEvent, defineWorkflow, type Handrail, type PgTransaction } from "../handrail";
import { createFleet, type FleetConfig } from "./fleet";

const paid = defineEvent({ name: "paid", payload: z.object({ cents: z.number() }) });
const order = defineWorkflow({ name: "order", input: z.object({ id: z.string() }) }, async (ctx, { id }) =>
  ctx.step("name", () => `order ${id}`),
);
const bill = defineWorkflow({ name: "bill", input: z.object({ id: z.string() }), events: [paid] }, (ctx, { id }) =>
  ctx.waitForEvent("paid", { event: paid, key: id }),
);

const begun = defineEvent({ name: "begun", payload: z.object({ id: z.string() }) });
const onBegun = defineWorkflow({ name: "on-begun", input: begun.payload, on: begun }, async () => null);
const single = defineWorkflow(
  { name: "single", input: z.object({ id: z.string() }), singleton: { key: ({ id }) => id }, events: [paid] },
  (ctx, { id }) => ctx.waitForEvent("paid", { event: paid, key: id }),
);

type Cell = "eu" | "us" | "asia";
type Cells = Record<Cell, Handrail<PgTransaction>>;

let databases: Record<Cell, TestDatabase>;
let cells: Cells;

const open = (database: TestDatabase) =>
  createHandrail({ workflows: [order, bill, onBegun, single], databaseUrl: database.url });
/** Nothing listens there. */
const gone = () => createHandrail({ workflows: [order], databaseUrl: "postgresql://postgres@127.0.0.1:1/gone" });
const fleetOf = (rest: Partial<FleetConfig<Cell, PgTransaction>> = {}) => createFleet<Cell>({ cells, ...rest });

beforeAll(async () => {
  const [eu, us, asia] = await Promise.all([createTestDatabase(), createTestDatabase(), createTestDatabase()]);
  databases = { eu, us, asia };
  cells = { eu: open(eu), us: open(us), asia: open(asia) };
  await Promise.all(Object.values(cells).map((cell) => cell.worker({ concurrency: 2 }).start()));
});
afterAll(async () => {
  await fleetOf().close();
  await Promise.all(Object.values(databases).map((database) => database.drop()));
});

const runsIn = async (cell: Cell, key: string) => {
  const { rows } = await databases[cell].pool.query("select id from handrail.run where idempotency_key = $1", [key]);
  return rows.length;
};
const everywhere = async (key: string) => {
  const [eu, us, asia] = await Promise.all([runsIn("eu", key), runsIn("us", key), runsIn("asia", key)]);
  return { eu, us, asia };
};

/** A new text that the fleet places in the one cell with these cells, and in another with those. */
let made = 0;
function keyOf(first: Cell, among: readonly Cell[], then?: { cell: Cell; among: readonly Cell[] }): string {
  for (;;) {
    made += 1;
    const key = `key ${made}`;
    if (cellFor(key, among) === first && (!then || cellFor(key, then.among) === then.cell)) return key;
  }
}

describe("a start", () => {
  it("goes to the cell that cellOf names, and its id says which", async () => {
    const fleet = fleetOf({ cellOf: ({ input, tags }) => (tags.region ?? (input as { id: string }).id) as Cell });
    const run = await fleet.start(order, { id: "us" });
    expect([run.cell, run.id]).toEqual(["us", expect.stringMatching(/^us\.[0-9a-f-]{36}$/)]);
    expect(await run.result()).toEqual({ output: "order us" });
    expect(await fleet.run(run.id, order).result()).toEqual({ output: "order us" });
    expect(await fleet.run(run.id).status()).toMatchObject({ id: run.id, status: "completed" });
    expect((await fleet.start(order, { id: "us" }, { tags: { region: "asia" } })).cell).toBe("asia");
  });

  it("goes by its key, once, and to every cell", async () => {
    const fleet = fleetOf();
    const keys = Array.from({ length: 60 }, (_, index) => `by hash ${index}`);
    const starts = await Promise.all(
      [...keys, ...keys].map((key) => fleet.start(order, { id: key }, { idempotencyKey: key })),
    );
    expect(new Set(starts.map(({ id }) => id)).size).toBe(60);
    expect(starts.filter(({ created }) => created)).toHaveLength(60);
    expect(new Set(starts.map(({ cell }) => cell))).toEqual(new Set(["eu", "us", "asia"]));
  });

  it("without a key goes anywhere", async () => {
    const fleet = fleetOf();
    const starts = await Promise.all(Array.from({ length: 40 }, () => fleet.start(order, { id: "any" })));
    expect(new Set(starts.map(({ cell }) => cell)).size).toBe(3);
  });

  it("of a singleton is not scattered over cells, each of which would let one live", async () => {
    await expect(fleetOf().start(single, { id: "1" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("is refused for a cell that is not there, and in a transaction", async () => {
    const fleet = fleetOf({ cellOf: () => "mars" as Cell });
    await expect(fleet.start(order, { id: "1" })).rejects.toMatchObject({
      code: "invalid_request",
      message: 'This fleet has no cell "mars": it has eu, us, asia.',
    });
    const inTransaction = fleetOf().start(order, { id: "1" }, { tx: {} as PgTransaction });
    await expect(inTransaction).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a run's id", () => {
  it("of no fleet, or of another, is refused with what to do", () => {
    expect(() => fleetOf().run("0192f0c1-5a4e-7d3c-9b1a-2f6e8d7c4b3a")).toThrow(/such as eu\.0192f0c1/);
    expect(() => fleetOf().run("mars.0192f0c1-5a4e-7d3c-9b1a-2f6e8d7c4b3a")).toThrow(/has eu, us, asia/);
    expect(() => fleetOf().run("toString.0192f0c1-5a4e-7d3c-9b1a-2f6e8d7c4b3a")).toThrow(/not the id|no cell/);
  });

  it("needs names that ids can contain, and a founder", () => {
    expect(() => createFleet({ cells: { "EU.1": cells.eu } })).toThrow(/cannot name a cell/);
    expect(() => createFleet({ cells: { eu: cells.eu }, added: { eu: "open" } })).toThrow(/one cell at least/);
  });
});

describe("a list", () => {
  it("has the runs of all cells, newest first, each once, page by page", async () => {
    const fleet = fleetOf();
    const started: string[] = [];
    for (let index = 0; index < 25; index += 1)
      started.unshift((await fleet.start(order, { id: `${index}` }, { tags: { lot: "paged" } })).id);
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof fleet.list>> = await fleet.list({
        tags: { lot: ["paged"] },
        limit: 7,
        ...(cursor !== null && { cursor }),
      });
      pages.push(page.runs.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages.flat()).toEqual(started);
    expect(pages.map(({ length }) => length)).toEqual([7, 7, 7, 4]);
  });

  it("skips nothing of a cell that was missing for a while", async () => {
    const fleet = fleetOf({ cellOf: ({ input }) => (Number((input as { id: string }).id) % 2 === 0 ? "eu" : "asia") });
    const started: string[] = [];
    for (let index = 0; index < 12; index += 1)
      started.unshift((await fleet.start(order, { id: `${index}` }, { tags: { lot: "gap" } })).id);
    const without = fleetOf({ cells: { ...cells, asia: gone() } });
    const filter = { tags: { lot: ["gap"] }, limit: 3 };
    const shown: string[] = [];
    let cursor: string | undefined;
    for (const from of [fleet, without, without, without, fleet, fleet, fleet, fleet, fleet]) {
      const page = await from.list({ ...filter, ...(cursor !== undefined && { cursor }) });
      shown.push(...page.runs.map(({ id }) => id));
      if (from === without) expect([page.missing.length, page.nextCursor === null]).toEqual([1, false]);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect([...shown].sort()).toEqual([...started].sort());
    await without.cell("asia").close();
  });

  it("refuses what no cell can answer", async () => {
    await expect(fleetOf().list({ cursor: "no cursor" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(fleetOf().list({ limit: 0, cursor: "W10" })).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("names the cell that does not answer, and shows the others", async () => {
    const fleet = fleetOf({ cells: { ...cells, asia: gone() } });
    const { runs, missing } = await fleet.list({ limit: 5 });
    expect(runs).toHaveLength(5);
    expect(missing).toEqual([{ cell: "asia", error: expect.any(String) }]);
    await fleet.cell("asia").close();
  });
});

describe("an event", () => {
  it("reaches who waits for its key, in whichever cell, and the run whose id it names", async () => {
    const fleet = fleetOf({ cellOf: () => "asia" });
    const run = await fleet.start(bill, { id: "B-1" });
    const sent = await fleet.send(paid, { cents: 5 }, { key: "B-1" });
    expect(await run.result({ timeoutMs: 30_000 })).toEqual({ output: { cents: 5 } });
    expect(await fleet.send(paid, { cents: 5 }, { key: "B-1", id: sent.id })).toEqual({ id: sent.id, created: false });
    const other = await fleet.start(bill, { id: "B-2" });
    await fleet.send(paid, { cents: 6 }, { runId: other.id });
    expect(await other.result({ timeoutMs: 30_000 })).toEqual({ output: { cents: 6 } });
  });

  it("that one cell did not take says which, and counts once when it is sent again", async () => {
    const here = fleetOf({ cellOf: () => "eu" });
    const run = await here.start(bill, { id: "B-3" });
    const broken = fleetOf({ cells: { ...cells, asia: gone() } });
    const error = await broken.send(paid, { cents: 7 }, { key: "B-3" }).catch((refused) => refused);
    expect(error).toMatchObject({ code: "unavailable", details: { missing: ["asia"] } });
    expect(await run.result({ timeoutMs: 30_000 })).toEqual({ output: { cents: 7 } });
    expect(await here.send(paid, { cents: 7 }, { key: "B-3", id: error.details.id })).toMatchObject({ created: true });
    await broken.cell("asia").close();
  });

  it("that starts workflows is refused where it would start them in each cell", async () => {
    const fleet = fleetOf();
    const sending = fleet.send(begun, { id: "C-1" }, { key: "C-1" });
    await expect(sending).rejects.toMatchObject({ code: "invalid_request", message: /starts "on-begun".*each cell/ });
    const { id } = await fleet.cell("us").send(begun, { id: "C-1" }, { key: "C-1" });
    expect(id).toEqual(expect.any(String));
  });

  it("to neither is refused", async () => {
    await expect(fleetOf().send(paid, { cents: 1 }, {})).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a cell that is added", () => {
  const two: Cell[] = ["eu", "us"];
  const three: Cell[] = ["eu", "us", "asia"];
  const before = () => createFleet<Cell>({ cells: { eu: cells.eu, us: cells.us } as Cells });
  const known = () => fleetOf({ added: { asia: "known" } });
  const open = () => fleetOf({ added: { asia: "open" } });
  const start = (fleet: ReturnType<typeof fleetOf>, key: string) =>
    fleet.start(order, { id: key }, { idempotencyKey: key });

  beforeEach(() => Promise.all(two.map((cell) => databases[cell].pool.query("delete from handrail.placed_key"))));

  it("takes nothing before it is open, and then its share of new keys alone", async () => {
    const [moved, stays] = [
      keyOf("eu", two, { cell: "asia", among: three }),
      keyOf("us", two, { cell: "us", among: three }),
    ];
    expect((await start(known(), moved)).cell).toBe("eu");
    expect((await start(open(), moved)).cell).toBe("eu");
    expect((await start(open(), stays)).cell).toBe("us");
    const fresh = keyOf("eu", two, { cell: "asia", among: three });
    expect((await start(open(), fresh)).cell).toBe("asia");
    expect((await start(known(), fresh)).cell).toBe("asia");
  });

  it("starts nothing that an earlier list of cells has started", async () => {
    const key = keyOf("us", two, { cell: "asia", among: three });
    const first = await start(before(), key);
    const again = await start(open(), key);
    expect([again.id, again.created]).toEqual([first.id, false]);
  });

  it("starts each key once while processes that know it and processes that use it run side by side", async () => {
    const keys = Array.from({ length: 40 }, () => keyOf("eu", two, { cell: "asia", among: three }));
    const fleets = [known(), open(), known(), open()];
    const starts = await Promise.all(keys.flatMap((key) => fleets.map((fleet) => start(fleet, key))));
    expect(new Set(starts.map(({ id }) => id)).size).toBe(40);
    expect(starts.filter(({ created }) => created)).toHaveLength(40);
    const used = new Set(starts.map(({ cell }) => cell));
    expect(used).toEqual(new Set(["eu", "asia"]));
  });

  it("lets one run of a singleton live, whichever list of cells a start knows", async () => {
    const id = keyOf("eu", two, { cell: "asia", among: three });
    const by = (added: "known" | "open") =>
      fleetOf({ added: { asia: added }, cellOf: ({ input }) => ({ by: (input as { id: string }).id }) });
    const first = await by("known").start(single, { id });
    expect(first.cell).toBe("eu");
    for (const [index, added] of (["open", "known", "open"] as const).entries()) {
      const how = index === 0 ? {} : { idempotencyKey: `${id} ${index}` };
      await expect(by(added).start(single, { id }, how)).rejects.toMatchObject({ code: "singleton_conflict" });
    }
    await first.cancel();
  });

  it("leaves rows only for keys that it takes, and none for starts without a key", async () => {
    await start(open(), keyOf("us", two, { cell: "us", among: three }));
    await open().start(order, { id: "no key" });
    const { rows } = await databases.us.pool.query("select cell from handrail.placed_key");
    expect(rows).toEqual([]);
  });

  it("does not lose keys of the cell that was added before it", async () => {
    const all = { cells, added: { us: "open", asia: "open" } } as const;
    const key = keyOf("us", two, { cell: "asia", among: three });
    const first = await start(
      createFleet<Cell>({ cells: { eu: cells.eu, us: cells.us } as Cells, added: { us: "open" } }),
      key,
    );
    expect(first.cell).toBe("us");
    // A month later, as it were.
    await databases.eu.pool.query("delete from handrail.placed_key");
    expect((await start(fleetOf(all), key)).id).toBe(first.id);
    expect(await everywhere(key)).toEqual({ eu: 0, us: 1, asia: 0 });
  });
});

describe("the example of docs/fleet.md", () => {
  const asAnAppWritesIt = (code: string) =>
    code
      .replace("../../library/fleet/fleet", "handrail/fleet")
      .replace("../../library/handrail", "handrail")
      .split("\n")
      .sort()
      .join()
      .replaceAll(/[\s,]+/g, "");

  it("is the file that runs here", async () => {
    const file = readFileSync(new URL("../../testing/library/fleet.ts", import.meta.url), "utf8");
    expect(blocksOf("fleet.md", "ts").map(asAnAppWritesIt)).toEqual([asAnAppWritesIt(file)]);
    vi.stubEnv("DATABASE_URL_EU", databases.eu.url);
    vi.stubEnv("DATABASE_URL_US", databases.us.url);
    const app = await import("../../testing/library/fleet");
    await Promise.all([app.work("eu"), app.work("us")]);
    const ids = [await app.placeOrder("A-1", "eu"), await app.placeOrder("A-2", "us")];
    expect(ids[0]).toMatch(/^eu\./);
    expect(await Promise.all(ids.map(app.numberOf))).toEqual(["R-A-1", "R-A-2"]);
    expect(await app.waitingOrders()).toEqual({ ids: [], without: [] });
    await app.fleet.close();
    vi.unstubAllEnvs();
  });
});

it("the keys of a tenant move from one cell to another without a second run", async () => {
  const old = fleetOf({ cellOf: () => ({ cell: "eu", before: ["eu"] }) });
  const next = fleetOf({ cellOf: () => ({ cell: "us", before: ["eu"] }) });
  const start = (fleet: typeof old, key: string) => fleet.start(order, { id: key }, { idempotencyKey: key });
  const kept = await start(fleetOf({ cellOf: () => "eu" }), "tenant 0");
  expect((await start(next, "tenant 0")).id).toBe(kept.id);
  const keys = Array.from({ length: 30 }, (_, index) => `tenant ${index + 1}`);
  const starts = await Promise.all(keys.flatMap((key) => [start(old, key), start(next, key), start(next, key)]));
  expect(starts.filter(({ created }) => created)).toHaveLength(30);
  for (const key of keys) expect(Object.values(await everywhere(key)).sort()).toEqual([0, 0, 1]);
});
