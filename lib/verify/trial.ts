import type { RunStatus } from "../engine/runs/run";
import { prepareStart } from "../engine/runs/start";
import type { SerializedError } from "../engine/values/serialized-error";
import type { Workflow } from "../engine/workflows/workflow";
import { cancel } from "../store/runs/cancel";
import { lockRun } from "../store/runs/lock-run";
import { pauseRun, resumeRun } from "../store/runs/pause";
import { rerunFailed, rerunFrom } from "../store/runs/rerun";
import { insertRunOnce } from "../store/runs/start-run";
import { inSchema } from "../store/schema";
import { letTimePass } from "../testkit/clock";
import { readTestRun, type TestRun } from "../testkit/read-run";
import type { FaultPoint } from "../worker/fault-points";
import { Answers } from "./answers";
import { type AskedOfPeople, askedOfPeople } from "./asked-of-people";
import { type Fault, isOfRuns, type Passage } from "./faults";
import type { Lane } from "./lane";
import { frozen, idsOfRuns } from "./observation";
import { Bodies, type TrialEyes } from "./watch";

/** Far longer than a busy machine needs between two moments at rest. */
const PATIENCE_MS = 30_000;
/** Sleeps and retries of one run; more of them do not end. */
const MOST_TIMERS = 2_000;

/** A world for one trial: what the workflow's services do, and what they did. */
export interface World {
  /** `ctx.services` of this trial. Default: none. */
  services?: object;
  /** What happened outside of Handrail so far: charges, mails, rows. Compared between trials. */
  observe(): unknown;
}

/** How one trial ended. */
export interface Ending extends AskedOfPeople {
  status: RunStatus;
  waitingFor: TestRun["waitingFor"];
  error: SerializedError | null;
  steps: { name: string; status: string }[];
  observation: unknown;
  /** Steps whose compensation has failed, with its error. */
  failedCompensations: { step: string; message: string }[];
  passages: Passage[];
  /** How often each step's body was begun. */
  begun: ReadonlyMap<string, number>;
  /** Faults of the trial whose boundary the run did not pass. */
  notReached: number;
  /** It neither ended nor waited in time. */
  stuck: boolean;
}

/** One trial while it runs. */
export class Trial {
  readonly bodies = new Bodies();
  readonly eyes: TrialEyes;
  private readonly passages: Passage[] = [];
  private readonly passed = new Map<string, number>();
  private readonly open: Set<Fault>;
  private readonly answers: Answers;
  private lastStep: string | null = null;
  private lastPoint = "";
  private flushedAt = "";
  private over = false;

  constructor(
    private readonly lane: Lane,
    private readonly world: World,
    private readonly faults: readonly Fault[],
    answers: Readonly<Record<string, unknown>>,
    /** Whether the run begins with the older build. */
    private isOlder = false,
  ) {
    this.answers = new Answers(lane, answers);
    this.open = new Set(faults.filter(({ kind }) => ["worker_dies", "deploy", "pause", "rerun"].includes(kind)));
    this.eyes = {
      services: world.services ?? {},
      faults,
      operate: (fault, runId) => this.operate(fault, runId),
      isRerun: (fault) => !this.open.has(fault),
    };
    lane.atBoundary = (point, detail) => this.passes(point, detail);
  }

  /** Whether workers have the older build still. */
  get isBeforeDeploy(): boolean {
    return this.isOlder;
  }

  /** @param key of the start, unique on the lane's database */
  async run(workflow: Workflow, input: unknown, key: string): Promise<Ending> {
    await this.lane.keepRunning();
    const start = await prepareStart(workflow, input, { idempotencyKey: key });
    const starts = this.faults.some(({ kind }) => kind === "started_twice") ? 2 : 1;
    const started = await Promise.all(Array.from({ length: starts }, () => insertRunOnce(this.lane.db, start)));
    const runId = started[0]?.id as string;
    this.lane.wake();
    const stuck = !(await this.drive(runId));
    await this.bodies.settled();
    this.over = true;
    const run = await readTestRun(this.lane.pool, runId);
    return {
      status: run.status,
      waitingFor: run.waitingFor,
      ...(await askedOfPeople(this.lane.pool, runId)),
      error: run.error,
      steps: run.steps.map(({ name, status }) => ({ name, status })),
      observation: frozen(await this.world.observe(), await idsOfRuns(this.lane.pool)),
      failedCompensations: await this.failedCompensations(runId),
      passages: this.passages,
      begun: this.bodies.begun,
      notReached: this.open.size,
      stuck,
    };
  }

  /** Until nothing goes on by itself; false when that takes too long. */
  private async drive(runId: string): Promise<boolean> {
    let timers = 0;
    for (let deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
      await this.lane.keepRunning();
      const rest = await this.lane.rest();
      if (!rest) {
        await this.lane.pause();
        continue;
      }
      if (!(await this.answers.giveNext(runId)) && !(await this.resumed())) {
        const { timerMs } = rest;
        if (timerMs === null && (await this.isRerun(runId))) {
          this.lane.wake();
          continue;
        }
        if (timerMs === null) return true;
        if (timers++ > MOST_TIMERS) return false;
        await letTimePass(this.lane.pool, Math.max(1, timerMs));
      }
      this.lane.wake();
      deadline = performance.now() + PATIENCE_MS;
    }
    return false;
  }

  private async passes(point: FaultPoint, given: string): Promise<boolean> {
    if (this.over || !isOfRuns(point)) return false;
    // Most claims find nothing.
    if (point === "claim:after" && !(await this.lane.holdsNewRun())) return false;
    // Known by what came before them: how many there are depends on the machine's speed. A body may end while its mark is written.
    const shared = /^(claim|flush)/.test(point);
    if (point === "flush:before") this.flushedAt = this.lastPoint;
    const detail = point === "flush:after" ? this.flushedAt : shared ? this.lastPoint : given;
    if (!shared) this.lastPoint = `${point} ${given}`.trim();
    if (point === "step:before-body" || point.startsWith("transaction")) this.lastStep = given;
    const key = `${point} ${detail}`;
    const nth = (this.passed.get(key) ?? 0) + 1;
    this.passed.set(key, nth);
    this.passages.push({ point, detail, nth, step: given === "" ? this.lastStep : given });
    for (const fault of this.open) {
      if (fault.kind !== "worker_dies" && fault.kind !== "deploy") continue;
      if (fault.point !== point || fault.detail !== detail || fault.nth !== nth) continue;
      this.open.delete(fault);
      if (fault.kind === "deploy") this.isOlder = false;
      return true;
    }
    return false;
  }

  private operate(fault: Fault, runId: string): Promise<void> {
    this.open.delete(fault);
    return this.lane.db.transaction(async (tx) => {
      await lockRun(tx, runId);
      await (fault.kind === "cancel" ? cancel(tx, runId) : pauseRun(tx, runId, null));
    });
  }

  /** @returns whether a run was paused, and goes on */
  private async resumed(): Promise<boolean> {
    if (!this.faults.some(({ kind }) => kind === "pause")) return false;
    const { rows } = await this.lane.pool.query<{ id: string }>(
      inSchema("select id::text from handrail.run where status = 'paused'"),
    );
    for (const { id } of rows)
      await this.lane.db.transaction(async (tx) => {
        await lockRun(tx, id);
        await resumeRun(tx, id);
      });
    return rows.length > 0;
  }

  /** Only a run that failed and asks nobody: of an unknown outcome, a person decides first. */
  private async isRerun(runId: string): Promise<boolean> {
    const rerun = [...this.open].find((fault) => fault.kind === "rerun");
    if (!rerun) return false;
    const { status, steps } = await readTestRun(this.lane.pool, runId);
    if (status !== "failed" || steps.some((step) => step.status === "unknown")) return false;
    const isEarlier = rerun.step !== rerun.failing;
    if (isEarlier && !(await this.mayRepeatFrom(runId, rerun.step))) return false;
    this.open.delete(rerun);
    await this.lane.db.transaction(async (tx) => {
      await lockRun(tx, runId);
      if (isEarlier) await rerunFrom(tx, runId, { step: rerun.step, freshKeys: false, branchOnly: false });
      else await rerunFailed(tx, runId, false);
    });
    return true;
  }

  /** Which steps come after another one is known only now, where branches run at once. */
  private async mayRepeatFrom(runId: string, step: string): Promise<boolean> {
    const { rowCount } = await this.lane.pool.query(
      inSchema(`select from handrail.step as first where run_id = $1 and name = $2 and superseded_by is null and not exists (
         select from handrail.step where run_id = $1 and superseded_by is null and position >= first.position
           and status = 'completed' and (effect = 'once' or kind not in ('step', 'sleep')))`),
      [runId, step],
    );
    return rowCount === 1;
  }

  private async failedCompensations(runId: string): Promise<Ending["failedCompensations"]> {
    const { rows } = await this.lane.pool.query<{ step: string; message: string }>(
      inSchema(`select step, coalesce(error::jsonb ->> 'message', '') as message from handrail.compensation
         where run_id = $1 and status = 'failed' order by position desc`),
      [runId],
    );
    return rows;
  }
}
