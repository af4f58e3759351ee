import { expect, it } from "vitest";
import { matchEvents, type OpenWait } from "./match-events";

const wait = (given: Partial<OpenWait> = {}): OpenWait => ({
  seq: null,
  again: null,
  forRun: [],
  forKey: [],
  ofKey: null,
  older: [],
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
  expect(matchEvents([wait({ forKey: [3], older: [null] })])).toEqual([{ event: null, outranked: true }]);
  expect(matchEvents([wait({ forKey: [3, 8], older: [null] })])).toEqual([{ event: 8, outranked: false }]);
  expect(matchEvents([wait({ older: [null] })])).toEqual([{ event: null, outranked: false }]);
});

it("counts waits in between: this run's, another's, this run's", () => {
  const forKey = [3, 8, 9];
  expect(taken(wait({ seq: 1, forKey }), wait({ seq: 3, forKey, older: [null] }))).toEqual([3, 9]);
});

it("leaves to an older wait with a filter the first event that fits it, and no other", () => {
  expect(matchEvents([wait({ forKey: [3, 8], older: [[8]] })])).toEqual([{ event: 3, outranked: false }]);
  expect(matchEvents([wait({ forKey: [3], older: [[]] })])).toEqual([{ event: 3, outranked: false }]);
  expect(matchEvents([wait({ forKey: [8], older: [[8]] })])).toEqual([{ event: null, outranked: true }]);
});

it("counts what older waits take in their order, with filters and without", () => {
  // The oldest takes 3, the first that fits it; the one without a filter takes 5; 8 is left.
  expect(taken(wait({ forKey: [5, 8], ofKey: [3, 5, 8], older: [[3, 8], null] }))).toEqual([8]);
  // Without a filter first: it takes 3, so that the filter's next one is 8.
  expect(matchEvents([wait({ forKey: [8], ofKey: [3, 5, 8], older: [null, [3, 8]] })])).toEqual([
    { event: null, outranked: true },
  ]);
});
