import { expect } from "vitest";
import type { ApiServer } from "../../lib/testing/api/api-server";
import { untilRun } from "../../lib/testing/database/history";
import type { aRemoteScene } from "../../lib/testing/workers/remote-worker";
import { Driver, type DriverName, type Refused } from "./driver";
import type { Command, Line, Program } from "./protocol";

const SOON_MS = 30_000;
/** Longer than a busy machine stands still. */
const LEASE_MS = 10_000;
/** Heartbeats come every half second. */
export const SHORT_LEASE_MS = 2_000;

type Definition = Omit<Program["workflow"], "name">;

/** A case's own workflow on a server, and the driver that is tried. */
export class Stage {
  private driven: Driver | undefined;

  constructor(
    readonly client: DriverName,
    readonly server: ApiServer,
    readonly scene: ReturnType<typeof aRemoteScene>,
    readonly workflow: string,
    private readonly drivers: Driver[],
  ) {}

  /** The process of the driver: that of the case before, if it lives. */
  get driver(): Driver {
    if (this.driven && !this.driven.hasEnded) return this.driven;
    this.driven = this.drivers.find((driver) => !driver.hasEnded) ?? this.another();
    this.driven.reports.length = 0;
    return this.driven;
  }

  another(): Driver {
    const driver = new Driver(this.client, this.server.url);
    this.drivers.push(driver);
    return driver;
  }

  /** The programs of the case's workflow: a version each. */
  program(code: Line[], definition: Definition = {}, undos: string[] = []): Program {
    return { workflow: { name: this.workflow, ...definition }, undos, code };
  }

  async work(code: Line[], definition: Definition = {}, undos: string[] = []): Promise<void> {
    await this.workOn([this.program(code, definition, undos)]);
  }

  async workOn(programs: Program[], leaseMs = LEASE_MS): Promise<void> {
    await this.driver.do({ do: "work", programs, leaseMs });
  }

  /** As if its worker had been silent for longer than its lease: the run is another one's to claim. */
  async loseLease(runId: string): Promise<void> {
    const { rows } = await this.scene.database.pool.query("select worker_id from handrail.run where id = $1", [runId]);
    const peer = await this.scene.worker([{ name: this.scene.name() }]);
    await this.scene.takeOver({ id: rows[0].worker_id }, peer);
    await peer.depart();
  }

  /** Known to the server before any worker of the driver is there. */
  async registered(definition: Definition = {}): Promise<void> {
    const worker = await this.scene.worker([{ name: this.workflow, ...definition }]);
    await worker.depart();
  }

  start(input: unknown = null, more: { idempotencyKey?: string } = {}): Promise<string> {
    return this.driver.do({ do: "start", workflow: this.workflow, input, ...more }) as Promise<string>;
  }

  result(runId: string, timeoutMs = SOON_MS): Promise<unknown> {
    return this.driver.do({ do: "result", runId, timeoutMs });
  }

  async refusal(command: Command): Promise<string> {
    const refused = await this.driver.do(command).then(
      (ok) => expect.fail(`It was not refused: ${JSON.stringify(ok)}`),
      (error: Refused) => error,
    );
    return refused.code;
  }

  /** The run fails, and so does each wait for its result. */
  async failure(
    runId: string,
  ): Promise<{ status: string; error: { message: string } | null; failedStep: string | null }> {
    expect(await this.refusal({ do: "result", runId, timeoutMs: SOON_MS })).toBe("run_failed");
    const { run } = await this.scene.history(runId);
    return { status: run.status, error: run.error, failedStep: run.failed_step };
  }

  until(runId: string, status: string) {
    return untilRun(this.scene.database.pool, runId, ({ run }) => run.status === status, `its being ${status}`);
  }

  untilAttention(runId: string, attention: string) {
    return untilRun(this.scene.database.pool, runId, ({ run }) => run.attention === attention, `its ${attention}`);
  }

  /** Its latest row. */
  async step(runId: string, name: string) {
    return (await this.scene.history(runId)).steps.findLast((step) => step.name === name);
  }

  /** What the API shows of a step's compensation. */
  async owed(runId: string, name: string) {
    return (await this.scene.step(runId, name)).compensation;
  }
}
