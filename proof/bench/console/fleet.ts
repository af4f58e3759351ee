import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { clientOf, type Place } from "../../../lib/api/client/client";
import { atMost, type Figure, ms } from "../figure";
import { summaryOf, type Took, tookOf } from "./ask";
import { CELLS, type CellName, type Cells, makeCells, OWN, type Spent, startCells } from "./cells";
import { type CellClient, FIRST_RUNS, FLEET_READS, type FleetRead, OVERVIEWS } from "./fleet-reads";

/** Where the four clusters stay, to be used again: 20 GB. */
const DIR = path.join(process.env.BENCH_CONSOLE_DIR ?? path.join(tmpdir(), "handrail-bench-console"), "cells");
/** Of each read, after a first one: BENCH_FLEET_TIMES. */
const TIMES = Number(process.env.BENCH_FLEET_TIMES ?? 30);
const MOST_MS = 150;
const MOST_DOWN_MS = 1_000;
/** A console waits eight seconds for another one. */
const MOST_HUNG_MS = 9_000;
const TIMES_HUNG = 4;

/** The cell that is asked alone, and whose console goes away. */
const OTHER: CellName = "d";

type ClientOf = (name: CellName) => CellClient;

/** The reads of the fleet's page over four cells, through the console of one of them. */
export async function fleetReads(): Promise<Figure[]> {
  await makeCells(DIR);
  const cells = await startCells(DIR);
  try {
    const directly = clientsOf((name) => ({ base: cells.consoles[name].url, headers: cells.headers[name] }));
    const sentOn = clientsOf((name) => ({
      base: name === OWN ? cells.consoles[OWN].url : `${cells.consoles[OWN].url}/v1/cells/${name}`,
      headers: cells.headers[OWN],
    }));
    const figures: Figure[] = [];
    const add = (...more: Figure[]) => {
      figures.push(...more);
      for (const { measure } of more)
        process.stdout.write(`  after ${Math.round(performance.now() / 1_000)} s: ${measure}\n`);
    };
    for (const read of FLEET_READS) add(await figureOf(read, cells, directly, sentOn));
    for (const read of [OVERVIEWS, FIRST_RUNS]) add(...(await withOneHung(read, cells, sentOn)));
    await cells.consoles[OTHER].kill();
    for (const read of [OVERVIEWS, FIRST_RUNS]) add(...(await withOneDown(read, cells, sentOn)));
    return figures;
  } finally {
    await cells.stop();
  }
}

function clientsOf(place: (name: CellName) => Place): ClientOf {
  const clients = new Map(CELLS.map((name) => [name, clientOf(place(name))]));
  return (name) => clients.get(name) as CellClient;
}

/** All cells through one console; beside it one cell alone, asked directly and through that console, and all directly. */
async function figureOf(read: FleetRead, cells: Cells, directly: ClientOf, sentOn: ClientOf): Promise<Figure> {
  const of = async (clients: ClientOf, names: readonly CellName[]) => {
    const before = await cells.spent();
    const took = await tookOf(read.name, TIMES, async (at) => {
      const ask = read.begin(cells.facts, at);
      const answers = await Promise.all(names.map((name) => ask(clients(name), name)));
      read.merge?.(answers as never[]);
    });
    return { ...took, spent: spentEach(before, await cells.spent()) };
  };
  const all = await of(sentOn, CELLS);
  const allDirectly = await of(directly, CELLS);
  const one = await of(directly, [OTHER]);
  const oneSentOn = await of(sentOn, [OTHER]);
  return {
    measure: `${read.name}, p95 of four cells`,
    measured:
      `${both(all)}, first ${ms(all.first)}, processor ${all.spent}; each asked directly ${both(allDirectly)}, processor ` +
      `${allDirectly.spent}; one cell ${both(one)}, processor ${one.spent}, sent on ${both(oneSentOn)}, processor ${oneSentOn.spent}`,
    value: all.p95,
    target: atMost(MOST_MS),
  };
}

/** What a read takes of the processors, which other work on the machine distorts less. */
function spentEach(before: Spent, after: Spent): string {
  const each = (of: keyof Spent) => ms((after[of] - before[of]) / (TIMES + 1));
  return `${each("consolesMs")} of consoles and ${each("databasesMs")} of databases`;
}

const both = ({ p50, p95 }: Took) => `p50 ${ms(p50)}, p95 ${ms(p95)}`;

/** Its console does not run. */
async function withOneDown(read: FleetRead, cells: Cells, sentOn: ClientOf): Promise<Figure[]> {
  const { others, missing } = await withOneAway(read, cells, sentOn, TIMES);
  return [
    figure(`${read.name}, p95 of the others while one console is down`, others, MOST_MS),
    figure(`… until the page says that it is down`, missing, MOST_DOWN_MS),
  ];
}

/** Its console takes connections, and does not answer. */
async function withOneHung(read: FleetRead, cells: Cells, sentOn: ClientOf): Promise<Figure[]> {
  const console = cells.consoles[OTHER];
  console.signal("SIGSTOP");
  try {
    await console.untilStopped();
    const { others, missing } = await withOneAway(read, cells, sentOn, TIMES_HUNG);
    return [
      figure(`${read.name}, longest of the others while one console hangs`, others, MOST_MS),
      figure(`… until the page says that it does not answer`, missing, MOST_HUNG_MS),
    ];
  } finally {
    console.signal("SIGCONT");
    // What it had taken before.
    await sleep(1_000);
  }
}

async function withOneAway(read: FleetRead, { facts }: Cells, sentOn: ClientOf, times: number) {
  const others: number[] = [];
  const missing: number[] = [];
  for (let at = 0; at <= times; at++) {
    const since = performance.now();
    const begun = read.begin(facts, at);
    const ask = (name: CellName) => begun(sentOn(name), name);
    const away = ask(OTHER).then(
      () => Promise.reject(new Error(`${OTHER} is away, and has answered.`)),
      () => missing.push(performance.now() - since),
    );
    await Promise.all(CELLS.filter((name) => name !== OTHER).map(ask));
    others.push(performance.now() - since);
    await away;
  }
  return { others: summaryOf(read.name, others), missing: summaryOf(read.name, missing) };
}

const figure = (measure: string, took: Took, most: number): Figure => ({
  measure,
  measured: `${both(took)}, first ${ms(took.first)}`,
  value: took.p95,
  target: atMost(most),
});
