import type { Fault } from "../fault";
import type { Random } from "../random";
import { clusterFaults } from "./cluster";
import { databaseFaults } from "./database";
import { deployFaults } from "./deploys";
import { allKills, type Spot, sampleKills } from "./kill";
import { networkFaults } from "./network";
import { otherRunFaults } from "./other-runs";
import { payloads } from "./payloads";
import { peopleFaults } from "./people";
import { processFaults, stops } from "./processes";
import { startFaults } from "./starts";

/** Faults that strike at one place. */
export const others: Fault[] = [
  ...processFaults,
  ...deployFaults,
  ...networkFaults,
  ...databaseFaults,
  ...clusterFaults,
  ...peopleFaults,
  ...startFaults,
  ...otherRunFaults,
  payloads,
];

/** Every fault once; where one can strike at several places, the seed chooses. */
export const sampled = (spots: readonly Spot[], random: Random): Fault[] => [
  ...sampleKills(spots, random),
  random.pick(stops),
  ...others,
];

/** Every fault at every place. */
export const everywhere = (spots: readonly Spot[]): Fault[] => [...allKills(spots), ...stops, ...others];
