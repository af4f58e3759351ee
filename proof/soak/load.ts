import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { prepareEvent } from "../../lib/engine/events/prepare-event";
import { prepareStart } from "../../lib/engine/runs/start";
import { sendWork } from "../../lib/store/database/notify";
import { type Db, poolDb } from "../../lib/store/db";
import { sendEvent } from "../../lib/store/events/send-event";
import { insertManyRuns } from "../../lib/store/runs/start-run";
import type { Random } from "../faults/random";
import { acknowledge } from "./ledgers";
import { ARRIVED, CHILDREN, workflowsOf } from "./workflows";

/** Starts of one round. */
const MIX = { order: 16, credit: 2, family: 1, parcel: 1 } as const;
export const STARTS_OF_A_ROUND = Object.values(MIX).reduce((sum, starts) => sum + starts, 0);
/** With children. */
export const RUNS_OF_A_ROUND = STARTS_OF_A_ROUND + MIX.family * CHILDREN;
/** Children and the wait for an event are steps of their parent, too. */
export const STEPS_OF_A_ROUND = MIX.order * 3 + MIX.credit + MIX.family * CHILDREN * 2 + MIX.parcel * 3;

const TICK_MS = 100;
/** In one statement. */
const ROUNDS_AT_ONCE = 50;
/** After its start: before a parcel waits for it, or after. */
const LATEST_EVENT_MS = 1_000;
const EVENTS_AT_ONCE = 10;

/** Starts runs and sends events, as the clients of an app do. */
export class Load {
  private readonly db: Db;
  private n = 0;
  private arrivals: { runId: string; at: number }[] = [];
  rounds = 0;

  constructor(
    private readonly pool: Pool,
    private readonly version: () => number,
    private readonly random: Random,
  ) {
    this.db = poolDb(pool);
  }

  /** At an even rate, until it is over. */
  async steady(roundsASecond: number, isOver: () => boolean): Promise<void> {
    const since = performance.now();
    const begun = this.rounds;
    while (!isOver()) {
      const due = Math.floor((roundsASecond * (performance.now() - since)) / 1_000) - (this.rounds - begun);
      if (due > 0) await this.start(Math.min(due, ROUNDS_AT_ONCE));
      await this.sendDue();
      await delay(due > ROUNDS_AT_ONCE ? 0 : TICK_MS);
    }
  }

  async start(rounds: number): Promise<void> {
    const { order, credit, family, parcel } = workflowsOf({ version: this.version(), retentionMs: LATEST_EVENT_MS });
    const ofMix = [order, credit, family, parcel].flatMap((workflow) =>
      Array.from({ length: MIX[workflow.name as keyof typeof MIX] * rounds }, () => workflow),
    );
    const starts = await Promise.all(ofMix.map((workflow) => prepareStart(workflow, { n: this.n++ })));
    const ids = await insertManyRuns(this.db, starts);
    await sendWork(this.db);
    const started = ids.map((id, place) => ({ id, workflow: (starts[place] as { workflow: string }).workflow }));
    await acknowledge(this.pool, started);
    this.rounds += rounds;
    for (const { id, workflow } of started)
      if (workflow === parcel.name)
        this.arrivals.push({ runId: id, at: performance.now() + this.random.below(LATEST_EVENT_MS) });
  }

  /** Events whose time has come; `all`: the others as well. */
  async sendDue(all = false): Promise<void> {
    const now = performance.now();
    const due = this.arrivals.filter(({ at }) => all || at <= now);
    this.arrivals = this.arrivals.filter(({ at }) => !all && at > now);
    const send = async () => {
      for (let one = due.pop(); one; one = due.pop()) {
        await sendEvent(this.db, await prepareEvent(ARRIVED, 1, { runId: one.runId, id: one.runId }));
        await sendWork(this.db);
      }
    };
    await Promise.all(Array.from({ length: EVENTS_AT_ONCE }, send));
  }
}
