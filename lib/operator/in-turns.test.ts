import { expect, it } from "vitest";
import type { Parts } from "../engine/parts";
import { inTurns, pause } from "./in-turns";

const PIECE_MS = 3;

function busy(): void {
  for (const until = performance.now() + PIECE_MS; performance.now() < until; );
}

function* work(pieces: number): Parts<void> {
  for (let piece = 0; piece < pieces; piece++) {
    busy();
    yield;
  }
}

/** How many turns the event loop made meanwhile. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work();
  over = true;
  return turns;
}

it("pieces of work that follow one another share one turn's time", async () => {
  const turns = await turnsOf(async () => {
    for (let piece = 0; piece < 30; piece++) await inTurns(work(1));
  });
  expect(turns).toBeGreaterThanOrEqual(8);
});

it("several that go on at once do, too", async () => {
  const turns = await turnsOf(() => Promise.all(Array.from({ length: 10 }, () => inTurns(work(3)))));
  expect(turns).toBeGreaterThanOrEqual(8);
});

it("a pause yields only when the turn has taken long", async () => {
  expect(
    await turnsOf(async () => {
      for (let piece = 0; piece < 1_000; piece++) await pause();
    }),
  ).toBeLessThan(100);
  const busyTurns = await turnsOf(async () => {
    for (let piece = 0; piece < 30; piece++) {
      busy();
      await pause();
    }
  });
  expect(busyTurns).toBeGreaterThanOrEqual(8);
});
