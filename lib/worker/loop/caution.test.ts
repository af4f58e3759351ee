import { expect, it } from "vitest";
import { Caution } from "./caution";

const LEASE_MS = 4_000;

it("keeps the full capacity while heartbeats are in time", () => {
  const caution = new Caution(LEASE_MS, 0);
  caution.onBeat(0);
  expect(caution.onBeat(1_000)).toBe(false);
  expect(caution.placesOf(80)).toBe(80);
});

it("halves the capacity with each late heartbeat, down to a sixteenth, and adds an eighth with each timely one", () => {
  const caution = new Caution(LEASE_MS, 0);
  caution.onBeat(0);
  const places = [2_000, 4_000, 6_000, 8_000, 10_000].map((now) => {
    caution.onBeat(now);
    return caution.placesOf(80);
  });
  expect(places).toEqual([40, 20, 10, 5, 5]);
  expect(caution.onBeat(11_000)).toBe(true);
  expect(caution.placesOf(80)).toBe(15);
  for (let now = 12_000; now <= 20_000; now += 1_000) caution.onBeat(now);
  expect(caution.placesOf(80)).toBe(80);
});

it("begins with half for each lost lease, and with at least one place", () => {
  expect(new Caution(LEASE_MS, 1).placesOf(80)).toBe(40);
  expect(new Caution(LEASE_MS, 2).placesOf(80)).toBe(20);
  expect(new Caution(LEASE_MS, 50).placesOf(3)).toBe(1);
});
