import type { Client, RequestOf } from "../api/client/client";
import { HandrailError } from "../engine/errors";
import { NonRetryableError } from "../engine/steps/retry-policy";
import { serializeError } from "../engine/values/serialized-error";
import type { Claimed, Holder } from "./claimed";
import type { HttpRun } from "./http-context";
import { HttpPass } from "./http-pass";
import { stemOf, verdictOf } from "./http-undo";
import type { HttpCode, HttpWorkflow } from "./http-workflow";
import { isClaimLost, sendOutcome } from "./refused";
import { fromJson, toJson } from "./values";

const UNDO_OUTCOME = "/v1/worker/runs/{runId}/undos/{step}/outcome";

type EndRequest = RequestOf<"POST", "/v1/worker/runs/{runId}/end">;
/** Distributes over the outcomes. */
type RunEnd = EndRequest extends infer End ? (End extends unknown ? Omit<End, "epoch"> : never) : never;

/** A run while this worker has it: one pass of its code, or its compensations. */
export class HttpClaim {
  /** Resolves once nothing more is sent about the run. */
  readonly ended: Promise<void>;
  private readonly client: Client;
  private readonly stopping = new AbortController();
  private readonly aborting = new AbortController();
  private readonly dropping = new AbortController();

  constructor(
    private readonly holder: Holder,
    private readonly run: HttpRun,
    private readonly definition: HttpWorkflow,
    code: HttpCode,
  ) {
    this.client = holder.clientFor(run.secret, this.dropping.signal);
    const claimed: Claimed = {
      run,
      definition,
      holder,
      client: this.client,
      stopping: this.stopping.signal,
      signal: this.aborting.signal,
    };
    const dropped = new Promise<void>((done) => this.dropping.signal.addEventListener("abort", () => done()));
    const all = run.status === "compensating" ? this.compensate() : this.runCode(new HttpPass(claimed), code);
    // Whatever was refused, this worker does not keep the run. A lost claim is another worker's by now.
    const givenUp = all.catch((error) => (isClaimLost(error) ? undefined : this.handBack().catch(() => undefined)));
    this.ended = Promise.race([dropped, givenUp]);
  }

  /** Begins nothing more. Bodies in flight end and are recorded, and the run is handed back. */
  stop(): void {
    this.stopping.abort();
  }

  /** Bodies in flight are asked to end, too: what they have not done is open. */
  abort(): void {
    this.stop();
    this.aborting.abort();
  }

  /** The run is not this worker's any more: nothing more is sent about it. */
  drop(): void {
    this.abort();
    this.dropping.abort();
  }

  private async runCode(pass: HttpPass, code: HttpCode): Promise<void> {
    const ended = (async () => code(pass.context, fromJson(this.run.input)))().then(
      async (output) => this.completed(output, await pass.close()),
      async (error: unknown): Promise<RunEnd> => {
        await pass.close();
        return { ...this.failed(error), ...pass.failedStep(error) };
      },
    );
    const end = await Promise.race([ended, pass.suspended]).catch((refusal: unknown) => {
      if (isClaimLost(refusal)) throw refusal;
      return this.failed(refusal);
    });
    await pass.close();
    if (end) await this.end(end);
    else await this.handBack(pass.rest);
  }

  private async end(end: RunEnd): Promise<void> {
    const send = (request: EndRequest) => this.client.post("/v1/worker/runs/{runId}/end", this.ofRun, { request });
    await sendOutcome("the run", send, { epoch: this.run.epoch }, end, {});
  }

  private get ofRun() {
    return { runId: this.run.id };
  }

  private async handBack(rest: { waitsFor?: string[]; inMs?: number } = {}): Promise<void> {
    const request = { epoch: this.run.epoch, ...rest };
    await this.client.post("/v1/worker/runs/{runId}/handback", this.ofRun, { request });
  }

  private completed(output: unknown, stillUnderWay: number): RunEnd {
    try {
      if (stillUnderWay > 0)
        throw new HandrailError("not_awaited", "The code ended while steps were under way. Await each of them.");
      return { outcome: "completed", output: toJson(output, "output of the run") };
    } catch (error) {
      return this.failed(error);
    }
  }

  private failed(error: unknown): RunEnd & { outcome: "failed" } {
    return { outcome: "failed", error: serializeError(error) };
  }

  /** In reverse order of completion, until the server says that there is no more to do here. */
  private async compensate(): Promise<void> {
    const { epoch } = this.run;
    while (!this.stopping.signal.aborted) {
      const due = await this.client.post("/v1/worker/runs/{runId}/undos", this.ofRun, { request: { epoch } });
      if (due.next === "none") return;
      // A process that was frozen past its lease must not begin one.
      if (!this.holder.owns()) break;
      const { step, generation, attempt } = due;
      const failure = await this.undo(step, due.output, due.idempotencyKey);
      await sendOutcome(
        `the compensation of step "${step}"`,
        (request) => this.client.post(UNDO_OUTCOME, { ...this.ofRun, step }, { request }),
        { epoch, generation, attempt },
        failure ?? { outcome: "completed" as const },
        { retryable: false },
      );
    }
    await this.handBack();
  }

  private async undo(step: string, output: unknown, idempotencyKey: string) {
    try {
      const undo = this.definition.undos?.[stemOf(step)];
      if (!undo) throw new NonRetryableError(`This worker has no compensation for the step "${step}".`);
      await undo(fromJson(output), { idempotencyKey, step });
      return undefined;
    } catch (error) {
      return { outcome: "failed" as const, error: serializeError(error), ...verdictOf(error) };
    }
  }
}
