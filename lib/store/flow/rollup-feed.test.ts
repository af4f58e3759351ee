import { describe, expect, it } from "vitest";
import type { Db } from "../db";
import { type RollupProgress, settle } from "./rollup-feed";

const AT_FIRST: RollupProgress = {
  ...{ endedAt: "-infinity", endedId: "", startedId: "", settledAt: "-infinity" },
  ...{ markAt: null, markHeld: [] },
};

/** The database's answers, one per read. */
async function looks(...answers: { at: string; held: string[] }[]): Promise<RollupProgress> {
  let progress = AT_FIRST;
  for (const answer of answers) {
    const tx = { query: async () => [answer] } as unknown as Db;
    progress = await settle(tx, progress);
  }
  return progress;
}

describe("the settled instant", () => {
  it("is now when no transaction writes", async () => {
    expect(await looks({ at: "1", held: [] })).toMatchObject({ settledAt: "1", markAt: null });
  });

  it("waits for the transactions that wrote at the mark, and not for later ones", async () => {
    expect(await looks({ at: "1", held: ["3/7"] }, { at: "2", held: ["3/7", "4/1"] })).toMatchObject({
      settledAt: "-infinity",
      markAt: "1",
    });
    expect(
      await looks({ at: "1", held: ["3/7"] }, { at: "2", held: ["3/7", "4/1"] }, { at: "3", held: ["4/1"] }),
    ).toMatchObject({ settledAt: "1", markAt: "3", markHeld: ["4/1"] });
  });

  it("waits for a transaction that was prepared meanwhile, under its other name", async () => {
    expect(await looks({ at: "1", held: ["3/7"] }, { at: "2", held: ["-1/742"] })).toMatchObject({
      settledAt: "-infinity",
    });
    expect(await looks({ at: "1", held: ["3/7"] }, { at: "2", held: ["-1/742"] }, { at: "3", held: [] })).toMatchObject(
      {
        settledAt: "3",
      },
    );
  });
});
