import type { Workflow } from "../engine/workflows/workflow";
import type { Scratch } from "../testkit/scratch";
import type { Fault } from "./faults";
import { Lane } from "./lane";
import { LaneTables } from "./lane-tables";
import type { VerifyOptions } from "./options";
import { type Ending, Trial } from "./trial";
import { Sights, watched } from "./watch";

/** Trials at once: while one waits for PostgreSQL, another computes. */
export const LANES = 4;

/** The workflow as one build has it, and what was seen of it. */
interface Build {
  workflow: Workflow;
  sights: Sights;
}

/** The build's workflows as far as they are known, each always the same object. */
function watchedOf({ workflow: main, sights }: Build, trial: () => Trial): () => readonly Workflow[] {
  const all = new Map<Workflow, Workflow>();
  return () =>
    [main, ...sights.children].map((workflow) => {
      const known = all.get(workflow) ?? watched(workflow, sights, trial);
      all.set(workflow, known);
      return known;
    });
}

/** A lane with what it is asked for. */
interface Manned {
  lane: Lane;
  tables: LaneTables;
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
  private readonly build: Build;
  private readonly older: Build | undefined;

  constructor(
    private readonly scratch: Scratch,
    workflow: Workflow,
    private readonly options: VerifyOptions,
    sights: Sights,
  ) {
    this.build = { workflow, sights };
    this.older = options.against && { workflow: options.against, sights: new Sights(workflow.name) };
  }

  /** Whether there is an older build, against which deploys are tried. */
  get hasOlder(): boolean {
    return this.older !== undefined;
  }

  /** Whether a run that fails may compensate itself, or a child of it. */
  get mayCompensate(): boolean {
    return [this.build.workflow, ...this.build.sights.children].some(({ onFailure }) => onFailure === "compensate");
  }

  /** @param isOlder the run begins with the older build, and goes on with this one from its deploy on */
  async try(input: unknown, faults: readonly Fault[], isOlder = false): Promise<Ending> {
    const manned = this.free.pop() ?? (await this.open());
    const world = await this.options.world(this.worldOptions(manned.lane));
    const trial = new Trial(manned.lane, world, faults, this.options.answers ?? {}, isOlder);
    manned.current = trial;
    const { workflow } = (isOlder && this.older) || this.build;
    const ending = await trial.run(workflow, input, `verify:${++manned.trials}`);
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

  private async mayBeUsedAgain({ lane, tables }: Manned, { stuck }: Ending): Promise<boolean> {
    const builds = [this.build, ...(this.older ? [this.older] : [])];
    const queues = builds
      .flatMap(({ workflow, sights }) => [workflow, ...sights.children])
      .flatMap(({ queueing }) => queueing ?? []);
    // What a queue counts stays with its workflow: it may be full, or have let in what its rate allows.
    if (stuck || queues.some(({ limits }) => limits?.rate || limits?.totalRate)) return false;
    if (queues.length > 0 && !(await lane.haveAllEnded())) return false;
    const steps = builds.flatMap(({ sights }) => [...sights.steps.values()]);
    return tables.reset(this.worldHasRows || steps.some(({ kind }) => kind === "transaction"));
  }

  private async open(): Promise<Manned> {
    const trial = () => manned.current as Trial;
    const [now, before] = [watchedOf(this.build, trial), this.older && watchedOf(this.older, trial)];
    const workflows = () => (manned.current?.isBeforeDeploy && before ? before : now)();
    const lane = new Lane(await this.scratch.copy(), this.options, workflows);
    const manned: Manned = {
      lane,
      tables: await LaneTables.of(lane.pool),
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
