import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { HandrailConfig } from "../app";
import { HandrailError } from "../engine/errors";
import { type EventDefinition, runIdOf } from "../engine/events/event";
import type { PgTransaction } from "../engine/workflows/step-options";
import type { TypedWorkflow } from "../engine/workflows/workflow";
import type { Page, readRuns } from "../operator/runs/reads";
import type { SentEvent } from "../store/events/send-event";
import type { RunFilter } from "../store/reads/run-filter";
import type { AppSchedules } from "./app-schedules";
import { AppWorker } from "./app-worker";
import type { WorkerSettings } from "./open-worker";
import type { Parts, Serving } from "./parts";
import type { ResultOptions } from "./result";
import type { RunHandle, SendHow, StartedRun, StartHow } from "./run-handle";

/** Handrail within an app. Connects with its first use; one for the process is enough. */
export const createHandrail = <Tx = PgTransaction>(config: HandrailConfig<Tx>): Handrail<Tx> => new Handrail(config);

/** Made by `createHandrail`. */
export class Handrail<Tx> {
  private opening: Promise<Parts<Tx>> | undefined;
  private readonly workers: AppWorker[] = [];
  private closed: Promise<void> | undefined;

  constructor(private readonly config: HandrailConfig<Tx>) {}

  /**
   * Starts a run; or returns the one that the same idempotency key and input have started. With `tx`, workers find it up
   * to 1.5 s after the commit, or at once after `wake()`.
   * @throws HandrailError `invalid_input` with the paths of what is wrong; `idempotency_conflict`; `invalid_request`.
   * Nothing is written then
   */
  async start<Schema extends StandardSchemaV1, Output>(
    workflow: TypedWorkflow<Schema, Output>,
    input: StandardSchemaV1.InferInput<Schema>,
    how: StartHow<Tx> = {},
  ): Promise<StartedRun<Output, Tx>> {
    const { id, created } = await (await this.parts()).start(workflow, input, how);
    return { ...this.handleOf<Output>(id, how.tx !== undefined), created };
  }

  /** A run by its id. Its workflow types the output. */
  run<Output = unknown>(id: string, _workflow?: TypedWorkflow<StandardSchemaV1, Output>): RunHandle<Output, Tx> {
    return this.handleOf<Output>(id, false);
  }

  /** The runs that fit a filter, newest first, in pages of 50: as `GET /api/v1/runs`, masked values included. */
  async list(filter: RunFilter & Page = {}): ReturnType<typeof readRuns> {
    return (await this.parts()).list(filter);
  }

  /**
   * Sends an event to a run, to all that wait for a key, or, with neither, to the workflows that it starts.
   * @throws HandrailError `invalid_input` if the payload does not fit its definition, the given one or those of the
   * configured workflows; `unknown_run`; `not_allowed` when the run has ended
   */
  async send<Schema extends StandardSchemaV1>(
    event: string | EventDefinition<Schema>,
    payload: StandardSchemaV1.InferInput<Schema>,
    how: SendHow<Tx> = {},
  ): Promise<SentEvent> {
    return (await this.parts()).send(event, payload, how);
  }

  /**
   * Schedules made, changed and removed at run time, beside those in code, which it only reads. Each change is in the
   * audit log. `put` of the same again changes nothing; `remove` says whether there was one.
   * @throws HandrailError `invalid_schedule`; `invalid_input` if its input does not fit the workflow; `unknown_workflow`;
   * `unknown_schedule`; `not_allowed` for a schedule of the code
   */
  readonly schedules: AppSchedules = {
    put: async (options, why) => (await this.parts()).schedules.put(options, why),
    get: async (name) => (await this.parts()).schedules.get(name),
    list: async (page) => (await this.parts()).schedules.list(page),
    remove: async (name, why) => (await this.parts()).schedules.remove(name, why),
  };

  /** After the commit of a transaction that something was started or sent in: workers look at once. Waits for nothing. */
  wake(): void {
    this.parts().then(
      ({ notifier }) => notifier.work(),
      () => undefined,
    );
  }

  /**
   * Brings the database up to date, as `npx handrail migrate` does: everything that it makes is in the schema `handrail`.
   * Any number of processes may call it at once. Returns the names of the migrations that it applied.
   * @throws HandrailError `database_newer`, `migration_edited`, `unavailable`, each with what to do
   */
  async migrate(): Promise<{ applied: string[] }> {
    return (await this.parts()).migrate();
  }

  /** A worker for the configured workflows, in this process. It begins with its `start()`, and ends with `close()`. */
  worker(settings: WorkerSettings = {}): AppWorker {
    const worker = new AppWorker(async (calls) => (await this.parts()).worker(settings, calls));
    this.workers.push(worker);
    return worker;
  }

  /**
   * What the workers of this process know of themselves, in the text format of Prometheus: for the app's own `/metrics`,
   * after what else is there. All names begin with `handrail_worker_`.
   */
  async metrics(): Promise<string> {
    return (await this.parts()).metrics();
  }

  /** What the handlers of `handrail/next`, `/express`, `/fastify` and `/hono` answer with. Not for apps. */
  serving(): Promise<Serving> {
    return this.parts();
  }

  /** Stops its workers as their `stop()` does, and ends what waits. Safe to call twice. */
  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  /** One worker that cannot stop leaves the others their time, and nothing open. */
  private async end(): Promise<void> {
    const stopped = await Promise.allSettled(this.workers.map((worker) => worker.stop()));
    const opened = await this.opening?.catch(() => undefined);
    await opened?.close();
    for (const one of stopped) if (one.status === "rejected") throw one.reason;
  }

  /** Loaded with the first use: an app that names its workflows does not load what starts them. */
  private async parts(): Promise<Parts<Tx>> {
    if (this.closed) throw new HandrailError("unavailable", "This Handrail is closed.");
    this.opening ??= import("./parts").then(({ openParts }) => openParts(this.config));
    return this.opening.catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
  }

  private handleOf<Output>(id: string, inTransaction: boolean): RunHandle<Output, Tx> {
    const parts = async () => ({ runId: runIdOf(id), ...(await this.parts()) });
    return {
      id,
      result: async (options = {}) => {
        const { notifier, result, runId } = await parts();
        // A caller who waits has committed.
        if (inTransaction) notifier.work();
        return result<Output>(runId, options);
      },
      published: async <Value>(name: string, options: ResultOptions = {}) => {
        const { published, runId } = await parts();
        return published<Value>(runId, name, options);
      },
      status: async () => {
        const { status, runId } = await parts();
        return status(runId);
      },
      cancel: async ({ reason = "The app cancelled it" } = {}) => {
        const { cancel, runId } = await parts();
        return cancel(runId, reason);
      },
      send: (event, payload, options = {}) => this.send(event, payload, { ...options, runId: id }),
    };
  }
}
