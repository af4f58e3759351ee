/**
 * `npm run faults`: each fault against the sample workflows, and a table of what held.
 *
 *   -- --seed N      the same choices again      -- --only WORDS   faults whose line contains the words
 *   -- --all         at every place, not only at those the seed chooses      -- --json   for programs
 *
 * `npm run faults -- patroni`: the strikes at a cluster that fails over by itself; `-- fleet`: those at a fleet of cells.
 * `--save` writes their table.
 */
import { parseArgs } from "node:util";
import { everywhere, sampled } from "./catalogue/all";
import { findSpots } from "./catalogue/kill";
import { type Fault, type Trial, tryFault } from "./fault";
import { strikeFleet } from "./fleet/main";
import { saveTable as saveFleetTable } from "./fleet/table";
import { strikePatroni } from "./patroni/main";
import { saveTable } from "./patroni/table";
import { randomOf } from "./random";
import { HEADER, rowOf, violationLines } from "./report";
import { openRig, type Rig } from "./rig";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: String(1 + (Date.now() % 1_000_000)) },
    only: { type: "string", default: "" },
    all: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    save: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const say = (line: string) => values.json || console.log(line);

async function choose(rig: Rig): Promise<Fault[]> {
  const spots = await findSpots(rig);
  const faults = values.all ? everywhere(spots) : sampled(spots, randomOf(seed));
  return faults.filter(({ name, how }) => `${name}: ${how}`.includes(values.only));
}

const TARGETS: Record<string, () => Promise<void>> = { patroni: atPatroni, fleet: atFleet };
const main = TARGETS[positionals[0] ?? ""] ?? atHandrail;

async function atPatroni(): Promise<void> {
  const trials = await strikePatroni({ seed, only: values.only, say });
  if (values.save) await saveTable(trials);
  conclude(trials);
}

async function atFleet(): Promise<void> {
  const only = ({ name, how }: { name: string; how: string }) => `${name}: ${how}`.includes(values.only);
  const trials = await strikeFleet({ seed, only, say });
  if (values.save) await saveFleetTable(trials);
  conclude(trials);
}

async function atHandrail(): Promise<void> {
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
