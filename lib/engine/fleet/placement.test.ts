import { describe, expect, it } from "vitest";
import { fleetIdOf, isCellName, readFleetId } from "./fleet-id";
import { cellFor, type Joining, placementFor } from "./placement";

const texts = Array.from({ length: 2_000 }, (_, index) => `order:${index}`);

describe("rendezvous hashing", () => {
  it("gives every cell its share", () => {
    const counts = new Map<string, number>();
    for (const text of texts)
      counts.set(cellFor(text, ["a", "b", "c", "d"]), (counts.get(cellFor(text, ["a", "b", "c", "d"])) ?? 0) + 1);
    expect([...counts.keys()].sort()).toEqual(["a", "b", "c", "d"]);
    for (const count of counts.values()) expect(Math.abs(count - 500)).toBeLessThan(100);
  });

  it("moves only what an added cell takes, and does not ask in which order cells are named", () => {
    for (const text of texts) {
      const [before, after] = [cellFor(text, ["a", "b", "c"]), cellFor(text, ["d", "c", "b", "a"])];
      expect([before, "d"]).toContain(after);
    }
  });
});

describe("while cells are added", () => {
  const phases: (readonly (readonly [string, Joining])[])[] = [
    [["d", "known"]],
    [["d", "open"]],
    [
      ["d", "open"],
      ["e", "known"],
    ],
    [
      ["d", "open"],
      ["e", "open"],
    ],
  ];
  const placed = (text: string, phase: number) => placementFor(text, ["a", "b", "c"], phases[phase] ?? []);

  it("two phases that follow each other place a text alike, or ask the same cell first", () => {
    for (const text of texts)
      for (const phase of [0, 1, 2]) {
        const [now, next] = [placed(text, phase), placed(text, phase + 1)];
        if (now.cell !== next.cell) expect([now.before[0], now.before.length > 0]).toEqual([next.before[0], true]);
      }
  });

  it("every cell that had a text is asked before another one takes it", () => {
    for (const text of texts) {
      const had = new Set([cellFor(text, ["a", "b", "c"]), placed(text, 1).cell]);
      const { cell, before } = placed(text, 3);
      for (const one of had) expect([...before, cell]).toContain(one);
    }
  });

  it("who asks nobody goes where every phase goes", () => {
    const alone = texts.filter((text) => placed(text, 3).before.length === 0);
    expect(alone.length).toBeGreaterThan(500);
    for (const text of alone) expect(new Set([0, 1, 2, 3].map((phase) => placed(text, phase).cell)).size).toBe(1);
  });
});

it("an id names its cell", () => {
  const id = "0192f0c1-5a4e-7d3c-9b1a-2f6e8d7c4b3a";
  expect(readFleetId(fleetIdOf("eu-1", id))).toEqual({ cell: "eu-1", runId: id });
  for (const text of [id, `.${id}`, `EU.${id}`, `1.${id}`, `eu.${id}x`, `eu.us.${id}`, "eu.", ""])
    expect(readFleetId(text)).toBeUndefined();
  expect(["eu", "a-1", "a".repeat(40)].every(isCellName)).toBe(true);
  expect(["", "Eu", "1a", "a.b", "a_b", "a".repeat(41)].some(isCellName)).toBe(false);
});
