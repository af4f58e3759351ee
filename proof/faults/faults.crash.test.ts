import { afterAll, beforeAll, describe, expect, inject, it, type TestContext } from "vitest";
import { oneIn } from "../../lib/testing/sample";
import { FAULT_POINTS } from "../../lib/worker/fault-points";
import { others } from "./catalogue/all";
import {
  findSpots,
  isTriedElsewhere,
  killAt,
  killsOfCompleter,
  killsUnderCompensation,
  type Spot,
} from "./catalogue/kill";
import { stops } from "./catalogue/processes";
import { type Fault, tryFault } from "./fault";
import { type Random, randomOf } from "./random";
import { violationLines } from "./report";
import { openRig, type Rig } from "./rig";

/** Random, part of the test names; HANDRAIL_FAULT_SEED repeats one. */
const seed = Number(process.env.HANDRAIL_FAULT_SEED ?? 1 + (Date.now() % 1_000_000));

/** Left to `npm run faults`: they take ten seconds and more, or need a server or a disk of their own. */
const TOO_LONG = ["Postgres restarted", "max_connections reached", "disk full", "slow network"];
/** Of these the seed picks one. */
const ALIKE = ["wrong clock", "connections exhausted"];

let rig: Rig;
let spots: Spot[];
let random: Random;
beforeAll(async () => {
  rig = await openRig({ url: inject("postgresUrl"), template: inject("postgresTemplate") });
  spots = await findSpots(rig);
  random = randomOf(seed);
});
afterAll(() => rig.close());

/** Skipped, with the reason, where this machine has not what the fault needs. */
async function expectEveryPromise(fault: Fault, context?: TestContext): Promise<void> {
  const trial = await tryFault(rig, fault, seed);
  if (trial.skipped) context?.skip(`${fault.name} ${trial.skipped}`);
  // Thrown whole: an assertion would cut the text short, and with it what one has to know.
  if (trial.violations.length > 0) throw new Error(violationLines(trial).join("\n"));
}

describe(`with seed ${seed}, every promise holds after`, () => {
  // lib/worker/*.crash.test.ts dies at every point; here it is three, checked against the services.
  it.each(oneIn(2, [1, 2, 3]))("SIGKILL somewhere in some workflow (%i)", () =>
    expectEveryPromise(killAt(random.pick(spots))),
  );
  it("SIGKILL under an undo", () => expectEveryPromise(random.pick(killsUnderCompensation)));
  it("SIGKILL of the worker that takes over", () => expectEveryPromise(random.pick(killsOfCompleter)));
  it("SIGSTOP past the lease, then SIGCONT", () => expectEveryPromise(random.pick(stops)));

  it.each(oneIn(2, ALIKE))("%s", (name) =>
    expectEveryPromise(random.pick(others.filter((fault) => fault.name === name))),
  );

  it.for(
    oneIn(
      10,
      others.filter(({ name }) => !TOO_LONG.includes(name) && !ALIKE.includes(name)),
    ).map((fault) => [`${fault.name}: ${fault.how}`, fault] as const),
  )("%s", ([, fault], context) => expectEveryPromise(fault, context));
});

it("no fault point is without a trial that dies there", () => {
  const met = new Set<string>(spots.map(({ point }) => point));
  const unmet = FAULT_POINTS.filter((point) => !met.has(point) && !isTriedElsewhere(point));
  expect(unmet.filter((point) => !/^(compensation|takeover):/.test(point))).toEqual([]);
  expect(unmet).toHaveLength(killsUnderCompensation.length + killsOfCompleter.length);
});
