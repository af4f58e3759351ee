import type { Pool } from "pg";
import { expect } from "vitest";
import { expectInvariants } from "../../../lib/testing/database/invariants";
import { callWitness } from "../../../lib/testing/database/witness";
import { until } from "../../../lib/testing/until";
import { aShop, aShopWith, completed, makeTables, type Shop } from "../shop";
import type { Scene } from "./scene";

type Version = 1 | 2;
const ROUNDS = 2;
const AT_A_TIME = 25;
/** Nobody is killed here, and a busy machine may stand still for seconds. A process of a stopped worker ends within a quarter of it. */
const LEASE_MS = 15_000;

/** What starts runs all the while, as the app of the version that is deployed. */
class Starter {
  /** By the number of the order. */
  readonly versions: Version[] = [];
  version: Version = 1;
  private stopped = false;
  private readonly done: Promise<void>;

  constructor(private readonly shops: Record<Version, Shop>) {
    this.done = this.go();
    this.done.catch(() => undefined); // stop() reports it
  }

  private async go(): Promise<void> {
    while (!this.stopped) {
      const from = this.versions.length;
      const { version } = this;
      this.versions.push(...Array<Version>(AT_A_TIME).fill(version));
      await this.shops[version].start(from, from + AT_A_TIME);
    }
  }

  /** Until a later batch is of this version: those that begin from now on are. */
  async switchTo(version: Version): Promise<void> {
    this.version = version;
    const from = this.versions.length;
    await until("A batch of the other version", () => this.versions.length > from + AT_A_TIME);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
  }
}

/** Two workers, replaced one after the other by those of the other version, twice forth and twice back, while runs are started. */
export async function rolling(scene: Scene): Promise<void> {
  const { pool } = await scene.aDatabase();
  const atEnd = scene.atEnd.bind(scene);
  const folder = await scene.check("the package is installed", async () =>
    aShopWith(await scene.shared.tarball(), atEnd),
  );
  const shops = { 1: aShop(folder, pool, 1, atEnd, LEASE_MS), 2: aShop(folder, pool, 2, atEnd, LEASE_MS) };
  await shops[1].migrate();
  await callWitness(pool);
  await makeTables(pool);

  let workers = [shops[1].aWorker(), shops[1].aWorker()];
  for (const worker of workers) await worker.isThere();
  const starter = new Starter(shops);
  scene.atEnd(() => starter.stop().catch(() => undefined));
  await until("The first end", async () => (await completed(pool)) > 0);
  for (let round = 1; round <= ROUNDS; round++)
    for (const to of [2, 1] as const)
      await scene.check(
        `round ${round}: both workers are replaced by version ${to}; TERM ends each with 0`,
        async () => {
          workers = await replaced(workers, shops[to], async () => {
            await starter.switchTo(to);
            // Version 1 does not have the code of version 2: its last worker stays until its runs have ended.
            if (to === 1) await untilEnded(pool, 2);
          });
        },
      );
  await starter.stop();
  await isInOrder(scene, pool, starter.versions);
  for (const worker of workers) await worker.stop();
}

type Workers = ReturnType<Shop["aWorker"]>[];

/** One worker after the other. @param between is done when one of each runs */
async function replaced(workers: Workers, by: Shop, between: () => Promise<void>): Promise<Workers> {
  const next: Workers = [];
  for (const leaving of workers) {
    const worker = by.aWorker();
    await worker.isThere();
    next.push(worker);
    await leaving.stop();
    if (next.length < workers.length) await between();
  }
  return next;
}

const untilEnded = (pool: Pool, version: Version) =>
  until(`The end of version ${version}`, async () => {
    const open = "select from handrail.run where version = $1 and status <> 'completed' limit 1";
    return (await pool.query(open, [version])).rows.length === 0;
  });

async function isInOrder(scene: Scene, pool: Pool, versions: readonly Version[]): Promise<void> {
  const count = async (from: string) => (await pool.query(`select count(*)::int as n from ${from}`)).rows[0].n;
  const all = versions.length;
  await scene.check(`0 lost of ${all} runs`, async () => {
    await until("The end of all", async () => (await completed(pool)) === all, 90_000);
    expect(await count("handrail.run")).toBe(all);
    for (const table of ["placed", "paid"]) expect(await count(table)).toBe(all);
  });
  await scene.check("0 of a wrong version", async () => {
    const { rows } = await pool.query(
      `select run.version as begun, placed.version as placed, paid.version as paid
       from handrail.run join placed on placed.id = (input::jsonb ->> 'id')::int join paid on paid.id = placed.id order by placed.id`,
    );
    expect(rows).toEqual(versions.map((version) => ({ begun: version, placed: version, paid: version })));
    expect(await count("handrail.run where code_version is not null")).toBe(0);
  });
  await scene.check("0 drifted", async () => expect(await count("handrail.drift")).toBe(0));
  await scene.check("0 unknown, and every order charged by one call", async () => {
    expect(await count("handrail.step where status = 'unknown' or attempt > 1")).toBe(0);
    expect(await count("charged")).toBe(all);
    expect(await count("(select distinct id, key from charged) as once")).toBe(all);
  });
  await scene.check("no rule of the engine is broken, and the witness saw nothing", () => expectInvariants(pool));
}
