/**
 * `npm run faults`: each fault against the sample workflows, and a table of what held.
 *
 *   -- --seed N      the same choices again      -- --only WORDS   faults whose line contains the words
 *   -- --all         at every place, not only at those the seed chooses      -- --json   for programs
 */
import { parseArgs } from "node:util";
import { everywhere, sampled } from "./catalogue/all";
import { findSpots } from "./catalogue/kill";
import { type Fault, type Trial, tryFault } from "./fault";
import { randomOf } from "./random";
import { HEADER, rowOf, violationLines } from "./report";
import { openRig, type Rig } from "./rig";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(1 + (Date.now() % 1_000_000)) },
    only: { type: "string", default: "" },
    all: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const say = (line: string) => values.json || console.log(line);

async function choose(rig: Rig): Promise<Fault[]> {
  const spots = await findSpots(rig);
  const faults = values.all ? everywhere(spots) : sampled(spots, randomOf(seed));
  return faults.filter(({ name, how }) => `${name}: ${how}`.includes(values.only));
}

async function main(): Promise<void> {
  const rig = await openRig();
  const trials: Trial[] = [];
  try {
    const faults = await choose(rig);
    say(`Seed ${seed}.\n`);
    for (const line of HEADER) say(line);
    for (const fault of faults) {
      const trial = await tryFault(rig, fault, seed);
      trials.push(trial);
      say(rowOf(trial));
    }
  } finally {
    await rig.close();
  }
  conclude(trials);
}

function conclude(trials: Trial[]): void {
  const broken = trials.flatMap(violationLines);
  const runs = trials.reduce((sum, trial) => sum + trial.runs, 0);
  if (values.json) console.log(JSON.stringify({ seed, trials }, null, 2));
  say(`\n${trials.length} trials with ${runs} runs, ${broken.length} violations.`);
  for (const line of broken) say(line);
  process.exitCode = broken.length === 0 && trials.length > 0 ? 0 : 1;
}

// Connections, children and servers of the trials end with them; what a zombie still holds must not keep us here.
main().then(
  () => process.exit(),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
