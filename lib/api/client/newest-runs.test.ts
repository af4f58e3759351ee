import { describe, expect, it } from "vitest";
import { mergeNewest } from "../../engine/fleet/merge-newest";
import { Reach } from "../../engine/fleet/reach";
import type { RunListItem } from "../contract/run";
import type { Client } from "./client";
import { newestRuns } from "./newest-runs";

const HOUR_AGO = "2026-11-28T11:00:00.000Z";

/** A cell that answers these pages in order, and what it was asked for. */
function cellWith(...pages: { count: number; lookedBackTo?: string }[]) {
  const asked: unknown[] = [];
  const read = async (_path: string, given: object) => {
    const at = asked.push(given) - 1;
    const { count, lookedBackTo = null } = pages[at] as (typeof pages)[number];
    const runs = Array.from({ length: count }, (_, n) => ({ id: `${at}-${n}` }) as RunListItem);
    return { runs, nextCursor: at < pages.length - 1 || lookedBackTo ? `after ${at}` : null, lookedBackTo };
  };
  return { cell: { read: read as unknown as Client["read"] }, asked };
}

/** A cell with these runs, which takes its time for each, and how many it has given. */
function cellOf(ids: readonly string[]) {
  const gave = { runs: 0 };
  const read = async (_path: string, { limit, cursor }: { limit: number; cursor?: string }) => {
    for (let turns = limit; turns > 0; turns--) await Promise.resolve();
    const from = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
    const runs = ids.slice(from, from + limit).map((id) => ({ id }) as RunListItem);
    gave.runs += runs.length;
    return { runs, nextCursor: from + limit < ids.length ? runs.at(-1)?.id : null, lookedBackTo: null };
  };
  return { cell: { read: read as unknown as Client["read"] }, gave };
}

/** The ids of so many runs, newest first, dealt out to four cells: the first gets this share of them, the others the rest. */
function dealt(count: number, share: number): string[][] {
  const cells: string[][] = [[], [], [], []];
  for (let at = count; at > 0; at--) {
    const to = Math.random() < share ? 0 : 1 + Math.floor(Math.random() * 3);
    cells[to]?.push(String(at).padStart(6, "0"));
  }
  return cells;
}

describe("the newest runs of four cells", () => {
  const listed = async (cells: string[][], wanted: number) => {
    const reach = new Reach({ runs: wanted, searches: 1 }, cells.length);
    const asked = cells.map(cellOf);
    const looked = await Promise.all(asked.map(({ cell }, at) => newestRuns(cell, `${at}`, {}, reach)));
    const total = asked.reduce((sum, { gave }) => sum + gave.runs, 0);
    return { ids: mergeNewest(looked, wanted).runs.map(({ id }) => id), total };
  };

  it.each([
    { share: 0.25, most: 1_050 },
    { share: 0.7, most: 1_450 },
    { share: 1, most: 800 },
  ])("are complete, and few more than wanted are read, if one cell has $share of them", async ({ share, most }) => {
    for (const wanted of [50, 200, 800]) {
      const cells = dealt(5_000, share);
      const { ids, total } = await listed(cells, wanted);
      expect(ids).toEqual(cells.flat().sort().reverse().slice(0, wanted));
      if (wanted === 800) expect(total).toBeLessThanOrEqual(most);
    }
  });

  it("are all there are where the cells have fewer", async () => {
    const cells = dealt(600, 0.5);
    expect((await listed(cells, 800)).ids).toHaveLength(600);
  });
});

describe("the newest runs of a cell", () => {
  it("are read page by page, and no further than wanted", async () => {
    const { cell, asked } = cellWith({ count: 200 }, { count: 50 }, { count: 200 });
    const { runs, to } = await newestRuns(cell, "eu", { workflow: ["a"] }, new Reach({ runs: 250, searches: 1 }, 1));
    expect([runs.length, to]).toEqual([250, "1-49"]);
    expect(asked).toEqual([
      { workflow: ["a"], limit: 200, cursor: undefined },
      { workflow: ["a"], limit: 50, cursor: "after 0" },
    ]);
  });

  it("are not read on when other cells have given enough newer ones", async () => {
    const reach = new Reach({ runs: 400, searches: 1 }, 2);
    reach.note(
      "us",
      Array.from({ length: 400 }, (_, n) => `9-${n}`),
    );
    const { cell, asked } = cellWith({ count: 200 }, { count: 200 });
    expect(await newestRuns(cell, "eu", {}, reach)).toMatchObject({ runs: { length: 200 }, to: "0-199" });
    expect(asked).toHaveLength(1);
  });

  it("end where there are no more", async () => {
    const { cell } = cellWith({ count: 7 });
    expect(await newestRuns(cell, "eu", {}, new Reach({ runs: 50, searches: 1 }, 2))).toMatchObject({
      runs: { length: 7 },
      to: null,
    });
  });

  it("end at the instant down to which the cell has looked", async () => {
    const { cell, asked } = cellWith({ count: 3, lookedBackTo: HOUR_AGO });
    const { to } = await newestRuns(cell, "eu", {}, new Reach({ runs: 50, searches: 1 }, 2));
    const hex = Date.parse(HOUR_AGO).toString(16).padStart(12, "0");
    expect(to).toBe(`${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`);
    expect(asked).toHaveLength(1);
  });
});
