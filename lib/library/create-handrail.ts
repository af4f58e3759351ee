import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { HandrailConfig } from "../app";
import { HandrailError } from "../engine/errors";
import { type EventDefinition, prepareEvent } from "../engine/events/event";
import { prepareStart, type StartOptions } from "../engine/runs/start";
import type { PgTransaction, TypedWorkflow, Workflow } from "../engine/workflows/workflow";
import { carryOut } from "../operator/actions/command";
import { checkByDefinitions } from "../operator/actions/send-event";
import { type Page, readRun, readRuns } from "../operator/runs/reads";
import type { Drives } from "../serverless";
import { type SentEvent, sendEvent } from "../store/events/send-event";
import type { RunFilter } from "../store/reads/run-filter";
import { insertRunOnce } from "../store/runs/start-run";
import { AppWorker } from "./app-worker";
import type { WorkerSettings } from "./open-worker";
import { openParts, type Parts } from "./parts";
import { resultOf } from "./result";
import type { RunHandle, SendOptions, StartedRun } from "./run-handle";

export interface StartHow<Tx> extends StartOptions {
  /** The app's open transaction: the run exists with its commit, or never. */
  tx?: Tx;
}

export interface SendHow<Tx> extends SendOptions<Tx> {
  /** The run to send it to. Not together with `key`. */
  runId?: string;
  /** The business key to send it to, such as a parcel's number. 255 characters at most. */
  key?: string;
}

/** The parts of a Handrail as its HTTP API sees them. */
export interface Serving extends Omit<Parts<never>, "join"> {
  workflows: readonly Workflow[];
  openDrives(): Promise<Drives>;
}

/** Handrail within an app. Connects with its first use; one for the process is enough. */
export const createHandrail = <Tx = PgTransaction>(config: HandrailConfig<Tx>): Handrail<Tx> => new Handrail(config);

/** Made by `createHandrail`. */
export class Handrail<Tx> {
  private opened: Parts<Tx> | undefined;
  private readonly workers: AppWorker[] = [];
  private readonly drives: Drives[] = [];
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
    { tx, ...options }: StartHow<Tx> = {},
  ): Promise<StartedRun<Output, Tx>> {
    const prepared = await prepareStart(workflow, input, options);
    const { notifier } = this.parts;
    const { id, created } = await insertRunOnce(this.dbOf(tx), prepared);
    if (tx === undefined) {
      notifier.change([id]);
      notifier.work();
    }
    return { ...this.handleOf<Output>(id, tx !== undefined), created };
  }

  /** A run by its id. Its workflow types the output. */
  run<Output = unknown>(id: string, _workflow?: TypedWorkflow<StandardSchemaV1, Output>): RunHandle<Output, Tx> {
    return this.handleOf<Output>(id, false);
  }

  /** The runs that fit a filter, newest first, in pages of 50: as `GET /api/v1/runs`, masked values included. */
  list({ limit, cursor, ...filter }: RunFilter & Page = {}): ReturnType<typeof readRuns> {
    return readRuns(this.parts.db, { ...filter, limit, cursor });
  }

  /**
   * Sends an event to a run, to all that wait for a key, or, with neither, to the workflows that it starts.
   * @throws HandrailError `invalid_input` if the payload does not fit its definition, the given one or those of the
   * configured workflows; `unknown_run`; `not_allowed` when the run has ended
   */
  async send<Schema extends StandardSchemaV1>(
    event: string | EventDefinition<Schema>,
    payload: StandardSchemaV1.InferInput<Schema>,
    { tx, ...address }: SendHow<Tx> = {},
  ): Promise<SentEvent> {
    if (typeof event === "string") await checkByDefinitions(event, payload, this.config.workflows);
    const prepared = await prepareEvent(event, payload, address);
    const { notifier } = this.parts;
    const sent = await sendEvent(this.dbOf(tx), prepared);
    if (tx === undefined) {
      if (address.runId !== undefined) notifier.change([address.runId]);
      notifier.work();
    }
    return sent;
  }

  /** After the commit of a transaction that something was started or sent in: workers look at once. Waits for nothing. */
  wake(): void {
    this.parts.notifier.work();
  }

  /** A worker for the configured workflows, in this process. It begins with its `start()`, and ends with `close()`. */
  worker(settings: WorkerSettings = {}): AppWorker {
    const { parts } = this;
    // An app that only starts runs does not load the code that runs them.
    const worker = new AppWorker(
      async (calls) => (await import("./open-worker")).openWorker(this.config, parts, settings, calls),
      parts.log,
    );
    this.workers.push(worker);
    return worker;
  }

  /** What the handlers of `handrail/next`, `/express`, `/fastify` and `/hono` answer with. Not for apps. */
  serving(): Serving {
    const { parts } = this;
    return {
      ...parts,
      workflows: this.config.workflows,
      openDrives: async () => {
        const { openDrives } = await import("../serverless");
        const drives = await openDrives(this.config, parts);
        this.drives.push(drives);
        return drives;
      },
    };
  }

  /** Stops its workers as their `stop()` does, and ends what waits. Safe to call twice. */
  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<void> {
    await Promise.all([...this.workers.map((worker) => worker.stop()), ...this.drives.map((drives) => drives.close())]);
    await this.opened?.close();
  }

  private get parts(): Parts<Tx> {
    if (this.closed) throw new HandrailError("unavailable", "This Handrail is closed.");
    this.opened ??= openParts(this.config);
    return this.opened;
  }

  private dbOf(tx: Tx | undefined) {
    return tx === undefined ? this.parts.db : this.parts.join(tx);
  }

  private handleOf<Output>(id: string, inTransaction: boolean): RunHandle<Output, Tx> {
    return {
      id,
      result: (options = {}) => {
        // The callers that wait have committed.
        if (inTransaction) this.wake();
        return resultOf<Output>(this.parts, id, options);
      },
      status: () => readRun(this.parts.db, id),
      cancel: ({ reason = "The app cancelled it" } = {}) =>
        carryOut(
          { ...this.parts.desk(), definitionsOf: async () => this.config.workflows },
          { act: "cancel", runId: id, params: {}, reason },
        ),
      send: (event, payload, options = {}) => this.send(event, payload, { ...options, runId: id }),
    };
  }
}
