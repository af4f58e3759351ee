import type { TestDatabase } from "../../../lib/testing/database/database";
import { openBodyLedger } from "../body-ledger";
import type { Trial } from "../fault";
import type { Violation } from "../judge";
import { randomOf } from "../random";
import { judge, runsOf } from "./judge";
import { Load } from "./load";
import { CELLS, type Cell, STEPS } from "./order";
import type { Site } from "./site";
import type { Strike } from "./strikes";

export interface FleetTrial extends Trial {
  /** Acknowledged: also those of a key that had been started before. */
  starts: number;
  /** Runs of each cell. */
  cells: Partial<Record<Cell, number>>;
  /** Bodies beyond the first of their step, each under the same idempotency key. */
  bodiesAgain: number;
  /** How often the judge saw what is wrong on purpose. */
  seen?: number;
}

type Measured = Omit<FleetTrial, "fault" | "how" | "seed" | "struck" | "seconds">;

/** One strike under load, from fresh databases to the verdict. */
export async function tryStrike(site: Site, strike: Strike, seed: number): Promise<FleetTrial> {
  const since = performance.now();
  const databases = {} as Record<Cell, TestDatabase>;
  const trial = (measured: Measured): FleetTrial => ({
    fault: strike.name,
    how: strike.how,
    seed,
    struck: 1,
    seconds: Math.round((performance.now() - since) / 100) / 10,
    ...measured,
  });
  try {
    for (const cell of CELLS) databases[cell] = await site.servers[cell].database();
    return trial(await underLoad(site, databases, strike, seed));
  } catch (error) {
    const what = `the trial broke off: ${error instanceof Error ? error.stack : error}`;
    return trial({ runs: 0, starts: 0, cells: {}, bodiesAgain: 0, violations: [{ promise: "P1", what }] });
  } finally {
    await Promise.all(Object.values(databases).map((database) => database.drop()));
  }
}

async function underLoad(
  { servers }: Site,
  databases: Record<Cell, TestDatabase>,
  strike: Strike,
  seed: number,
): Promise<Measured> {
  const violations: Violation[] = [];
  const check = (holds: boolean, what: string) => void (holds || violations.push({ promise: "P1", what }));
  const urls = Object.fromEntries(CELLS.map((cell) => [cell, databases[cell].url])) as Record<Cell, string>;
  const random = randomOf(seed, strike.name);
  const ledger = await openBodyLedger();
  const setup = { urls, random, ledgerUrl: ledger.url, name: strike.name };
  const load = await Load.start(strike.deploy, setup);
  try {
    await strike.play({ load, servers, urls, random, check });
    await load.finish();
    const runs = await runsOf(databases);
    violations.push(...(await judge({ databases, tried: load.tried, bodies: ledger.bodies }, runs)));
    const inCell = (cell: Cell) => runs.filter((run) => run.cell === cell).length;
    return {
      ...verdict(strike, violations),
      runs: runs.length,
      starts: load.acknowledged.length,
      cells: Object.fromEntries(CELLS.map((cell) => [cell, inCell(cell)])),
      bodiesAgain: ledger.bodies.length - STEPS.length * runs.length,
    };
  } finally {
    await load.kill();
    await ledger.stop();
  }
}

/** A judge that does not see what is wrong on purpose proves nothing. */
function verdict({ isWrong }: Strike, violations: Violation[]): Pick<FleetTrial, "violations" | "seen"> {
  if (!isWrong) return { violations };
  const what = "the judge saw nothing wrong";
  return { violations: violations.length > 0 ? [] : [{ promise: "P1", what }], seen: violations.length };
}
