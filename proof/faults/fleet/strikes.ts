import { setTimeout as delay } from "node:timers/promises";
import { cellFor } from "../../../lib/engine/fleet/placement";
import type { Random } from "../random";
import type { Load, StarterIndex } from "./load";
import { CELLS, type Cell, type Deploy, fleetOf, TENANT } from "./order";
import type { CellServer } from "./site";

/** What a strike strikes at. */
export interface UnderLoad {
  load: Load;
  servers: Readonly<Record<Cell, CellServer>>;
  urls: Readonly<Record<Cell, string>>;
  random: Random;
  check(holds: boolean, what: string): void;
}

export interface Strike {
  name: string;
  how: string;
  /** What every starter begins with. */
  deploy: Deploy;
  play(load: UnderLoad): Promise<void>;
  /** The deploys are wrong on purpose: the judge must see it. */
  isWrong?: true;
}

const FOUNDERS = ["eu", "us", "asia"] as const;
const FIRST_TWO = ["eu", "us"] as const;
const THREE: Deploy = { cells: FOUNDERS };
/** The three deploys of docs/fleet.md, "Add a cell". */
const KNOWN: Deploy = { cells: CELLS, added: { africa: "known" } };
const OPEN: Deploy = { cells: CELLS, added: { africa: "open" } };
const FOUR: Deploy = { cells: CELLS };
/** Those of "Move a tenant". */
const AT_HOME: Deploy = { cells: FOUNDERS, tenant: "eu" };
const LEAVING: Deploy = { cells: FOUNDERS, tenant: { cell: "eu", before: ["eu"] } };
const MOVING: Deploy = { cells: FOUNDERS, tenant: { cell: "us", before: ["eu"] } };
const MOVED: Deploy = { cells: FOUNDERS, tenant: "us" };

/** Longer than a lease lives, so that the cell's worker has to begin anew. */
const OUTAGE_MS = 6_000;

/** A key that the last cell takes when it is added. */
const isOfAfrica = ({ key }: { key: string }) => cellFor(key, CELLS) === "africa";
/** One that each of two added cells takes in its turn. */
const movesTwice = ({ key }: { key: string }) => isOfAfrica({ key }) && cellFor(key, FOUNDERS) === "asia";

/** A cell does not answer: the others go on, and lists say so. */
async function without(under: UnderLoad, cell: Cell, deploy: Deploy): Promise<void> {
  const since = performance.now();
  await under.load.untilMore(20, (start) => start.isFirst && start.cell !== cell);
  await checkList(under, cell, deploy);
  await delay(Math.max(0, since + OUTAGE_MS - performance.now()));
  await under.load.untilMore(20, (start) => start.cell !== cell);
}

async function checkList({ urls, check }: UnderLoad, cell: Cell, deploy: Deploy): Promise<void> {
  const fleet = fleetOf(deploy, urls);
  // The first one loads code and connects, which may take a busy machine longer than a cell is waited for.
  await fleet.list();
  const { runs, missing } = await fleet.list({ limit: 200 });
  void fleet.close().catch(() => undefined);
  const names = missing.map((one) => one.cell);
  check(names.join() === cell, `the list is without ${names.join(", ") || "none"}, where ${cell} does not answer`);
  const shown = new Set(runs.map((run) => run.cell));
  for (const other of FOUNDERS) check(shown.has(other) === (other !== cell), `the list has ${[...shown].join(", ")}`);
}

async function killServer(under: UnderLoad, deploy = THREE): Promise<void> {
  const cell = under.random.pick(deploy.cells);
  await under.load.untilMore(30);
  await under.servers[cell].kill();
  await without(under, cell, deploy);
  await under.servers[cell].revive();
  await under.load.untilMore(20, (start) => start.cell === cell);
}

async function hangCell(under: UnderLoad): Promise<void> {
  const cell = under.random.pick(FOUNDERS);
  await under.load.untilMore(30);
  const wake = await under.servers[cell].hang();
  try {
    await without(under, cell, THREE);
  } finally {
    wake();
  }
  await under.load.untilMore(20, (start) => start.cell === cell);
}

async function killProcesses({ load, random }: UnderLoad): Promise<void> {
  for (let round = 0; round < 3; round++) {
    const [cell, starter] = [random.pick(FOUNDERS), random.pick<StarterIndex>([0, 1])];
    await load.untilMore(30);
    await Promise.all([load.killWorker(cell), load.killStarter(starter)]);
    await load.untilMore(30);
    await Promise.all([load.work(cell), load.deploy(starter, THREE)]);
  }
}

/** Process by process: the first one has the next deploy while the second one has the one before. `between` happens then. */
async function roll(load: Load, deploy: Deploy, between: () => Promise<unknown> = async () => undefined) {
  const isNew = ({ isFirst }: { isFirst: boolean }) => isFirst;
  await load.deploy(0, deploy);
  await load.untilMore(15, isNew);
  await between();
  await load.deploy(1, deploy);
  await load.untilMore(15, isNew);
}

/** @param during what happens while processes with the first and the second deploy run side by side */
async function addCell({ load, check }: UnderLoad, during?: () => Promise<unknown>): Promise<void> {
  await Promise.all([load.untilMore(3, isOfAfrica), load.work("africa")]);
  await roll(load, KNOWN);
  check(!load.acknowledged.some(({ cell }) => cell === "africa"), "a cell took starts before it was open");
  await roll(load, OPEN, during);
  // Keys from before, which would go there if they were new.
  await load.untilMore(3, (start) => isOfAfrica(start) && start.cell !== "africa");
  const inAll = performance.now();
  await load.untilMore(10, ({ cell }) => cell === "africa");
  await load.leaveOlderThan(inAll);
  await roll(load, FOUR);
  await load.untilMore(10, ({ cell }) => cell === "africa");
}

async function moveTenant({ load }: UnderLoad): Promise<void> {
  const isTenants = ({ key }: { key: string }) => load.tried.get(key)?.tenant === TENANT;
  await load.untilMore(30);
  await roll(load, LEAVING);
  await roll(load, MOVING);
  // Keys from before, which would go to the other cell if they were new.
  await load.untilMore(3, (start) => isTenants(start) && start.cell === "eu");
  const inAll = performance.now();
  await load.untilMore(10, (start) => start.cell === "us" && isTenants(start));
  await load.leaveOlderThan(inAll);
  await roll(load, MOVED);
  await load.untilMore(10, (start) => start.cell === "us" && isTenants(start));
}

/** The second one while keys of the first are still settled. */
async function addTwoCells({ load, check }: UnderLoad): Promise<void> {
  const { cells } = FOUR;
  await Promise.all([load.untilMore(30), load.work("asia"), load.work("africa")]);
  await roll(load, { cells: FOUNDERS, added: { asia: "known" } });
  await roll(load, { cells: FOUNDERS, added: { asia: "open" } });
  const firstInAll = performance.now();
  await load.untilMore(3, (start) => start.cell === "asia" && movesTwice(start));
  const old = new Set(load.acknowledged.filter(movesTwice).map(({ key }) => key));
  await roll(load, { cells, added: { asia: "open", africa: "known" } });
  const opened = performance.now();
  await roll(load, { cells, added: { asia: "open", africa: "open" } });
  await load.untilMore(2, ({ key, cell }) => old.has(key) && cell === "asia");
  await load.untilMore(3, (start) => start.cell === "africa" && movesTwice(start));
  check(
    load.acknowledged.some(({ cell, at }) => cell === "asia" && at > opened),
    "the cell added first takes none",
  );
  const secondInAll = performance.now();
  await load.leaveOlderThan(firstInAll);
  await roll(load, OPEN);
  await load.leaveOlderThan(secondInAll);
  await roll(load, FOUR);
}

/** Starters that do not know of the cell, beside those that use it. */
async function leaveOutTheFirst({ load }: UnderLoad): Promise<void> {
  await Promise.all([load.untilMore(30), load.work("africa")]);
  await load.deploy(0, OPEN);
  await load.untilMore(5, ({ cell }) => cell === "africa");
  await load.deploy(1, OPEN);
}

async function addAtOnce({ load }: UnderLoad): Promise<void> {
  await Promise.all([load.untilMore(30), load.work("africa")]);
  await roll(load, FOUR);
}

export const STRIKES: readonly Strike[] = [
  {
    name: "server of a cell killed",
    how: "SIGKILL of each of its processes; it comes back after six seconds",
    deploy: THREE,
    play: killServer,
  },
  {
    name: "server of a cell hangs",
    how: "SIGSTOP of each of its processes, and SIGCONT after six seconds",
    deploy: THREE,
    play: hangCell,
  },
  {
    name: "processes killed",
    how: "SIGKILL of a worker and a starter at once, three times",
    deploy: THREE,
    play: killProcesses,
  },
  {
    name: "cell added",
    how: "a fourth cell by the three deploys of fleet.md, one starter after the other, each by SIGKILL; old keys are started again",
    deploy: THREE,
    play: addCell,
  },
  {
    name: "tenant moved",
    how: "from one cell to another by the three deploys of fleet.md, likewise",
    deploy: AT_HOME,
    play: moveTenant,
  },
  {
    name: "server killed while a cell is added",
    how: "the same three deploys; a founder's server is killed while one starter has the first and the other one the second deploy",
    deploy: THREE,
    play: (under) => addCell(under, () => killServer(under, OPEN)),
  },
  {
    name: "two cells added, one after the other",
    how: "to two founders; the second one is known before the first one is a founder, and old keys of both are started again",
    deploy: { cells: FIRST_TWO },
    play: addTwoCells,
  },
  {
    name: "first deploy left out",
    how: "a starter uses a cell that the other one does not know, which is wrong: to show that the judge sees it",
    deploy: THREE,
    play: leaveOutTheFirst,
    isWrong: true,
  },
  {
    name: "cell added at once",
    how: "without the three deploys, which is wrong: to show that the judge sees it",
    deploy: THREE,
    play: addAtOnce,
    isWrong: true,
  },
];
