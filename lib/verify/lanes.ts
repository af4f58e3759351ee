import { hasEnded } from "../engine/runs/run";
import type { Workflow } from "../engine/workflows/workflow";
import type { Scratch } from "../testkit/scratch";
import { AppTables } from "./app-tables";
import type { Fault } from "./faults";
import { Lane } from "./lane";
import type { VerifyOptions } from "./options";
import { type Ending, Trial } from "./trial";
import { type Sights, watched } from "./watch";

/** Trials at once: while one waits for PostgreSQL, another computes. */
export const LANES = 4;

/** A lane with what it is asked for. */
interface Manned {
  lane: Lane;
  appTables: AppTables;
  current: Trial | undefined;
  trials: number;
}

/** Databases with a worker each. One is used for several trials as long as they leave nothing behind that another would see. */
export class Lanes {
  private readonly free: Manned[] = [];
  private readonly all = new Set<Manned>();
  private readonly closing: Promise<unknown>[] = [];
  /** The world uses the database itself. */
  private worldHasRows = false;

  constructor(
    private readonly scratch: Scratch,
    readonly workflow: Workflow,
    private readonly options: VerifyOptions,
    private readonly sights: Sights,
  ) {}

  async try(input: unknown, faults: readonly Fault[]): Promise<Ending> {
    const manned = this.free.pop() ?? (await this.open());
    const world = await this.options.world(this.worldOptions(manned.lane));
    const trial = new Trial(manned.lane, world, faults, this.options.answers ?? {});
    manned.current = trial;
    const ending = await trial.run(this.workflow, input, `verify:${++manned.trials}`);
    if (await this.mayBeUsedAgain(manned, ending)) this.free.push(manned);
    else this.closing.push(this.discard(manned));
    return ending;
  }

  async close(): Promise<void> {
    await Promise.all([...this.all].map((manned) => manned.lane.stop()));
    await Promise.allSettled(this.closing);
  }

  private worldOptions({ databaseUrl }: Lane): { databaseUrl: string } {
    const used = () => {
      this.worldHasRows = true;
      return databaseUrl;
    };
    return {
      get databaseUrl() {
        return used();
      },
    };
  }

  private async mayBeUsedAgain({ appTables }: Manned, { status, stuck, asks }: Ending): Promise<boolean> {
    const { rate, totalRate } = this.workflow.queueing?.limits ?? {};
    // A start that one trial has taken is not the next one's.
    if (stuck || rate || totalRate || this.sights.children.size > 0) return false;
    const steps = [...this.sights.steps.values()];
    // One that waits for a person does so without end; only in a queue others would stand behind it.
    const isOver = hasEnded(status) || (asks && !this.workflow.queueing);
    if (steps.some(({ leavesRows }) => leavesRows) || !isOver) return false;
    const isTouched = this.worldHasRows || steps.some(({ kind }) => kind === "transaction");
    return !isTouched || appTables.reset();
  }

  private async open(): Promise<Manned> {
    const registered = new Map<Workflow, Workflow>();
    const workflows = () =>
      [this.workflow, ...this.sights.children].map((workflow) => {
        const known = registered.get(workflow) ?? watched(workflow, this.sights, () => manned.current as Trial);
        registered.set(workflow, known);
        return known;
      });
    const lane = new Lane(await this.scratch.copy(), this.options, workflows);
    const manned: Manned = {
      lane,
      appTables: await AppTables.of(lane.pool),
      current: undefined,
      trials: 0,
    };
    this.all.add(manned);
    return manned;
  }

  private async discard(manned: Manned): Promise<void> {
    await manned.lane.stop();
    this.all.delete(manned);
    await this.scratch.drop(manned.lane.databaseUrl);
  }
}
