import { expect, it } from "vitest";
import { matchEvents, type OpenWait } from "./match-events";

const wait = (given: Partial<OpenWait> = {}): OpenWait => ({
  seq: null,
  again: null,
  forRun: [],
  forKey: [],
  older: 0,
  ...given,
});
const taken = (...waits: OpenWait[]) => matchEvents(waits).map(({ event }) => event);

it("gives each event to one wait, the oldest event to the oldest wait", () => {
  const forRun = [4, 7, 9];
  expect(taken(wait({ seq: 2, forRun }), wait({ seq: 1, forRun }), wait({ forRun }), wait({ forRun }))).toEqual([
    7,
    4,
    9,
    null,
  ]);
});

it("prefers events for the run, and most of all the event that the step took in an earlier generation", () => {
  expect(taken(wait({ again: 1, forRun: [5], forKey: [3] }))).toEqual([1]);
  expect(taken(wait({ forRun: [5], forKey: [3] }))).toEqual([5]);
});

it("leaves the first events of a key to other runs that waited earlier", () => {
  expect(matchEvents([wait({ forKey: [3], older: 1 })])).toEqual([{ event: null, outranked: true }]);
  expect(matchEvents([wait({ forKey: [3, 8], older: 1 })])).toEqual([{ event: 8, outranked: false }]);
  expect(matchEvents([wait({ older: 1 })])).toEqual([{ event: null, outranked: false }]);
});

it("counts waits in between: this run's, another's, this run's", () => {
  const forKey = [3, 8, 9];
  expect(taken(wait({ seq: 1, forKey }), wait({ seq: 3, forKey, older: 1 }))).toEqual([3, 9]);
});
