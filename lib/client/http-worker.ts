import { ApiError, type Client, clientOf, newIdempotencyKey } from "../api/client/client";
import type { Holder } from "./claimed";
import { HttpClaim } from "./http-claim";
import type { HttpCode, HttpWorkflow } from "./http-workflow";
import { placeOf, type Server } from "./place";
import { sleep } from "./sleep";

export { ApiError } from "../api/client/client";
export { HandrailError, isHandrailError } from "../engine/errors";
export { OutcomeUnknownError } from "../engine/steps/outcome-unknown-error";
export { NonRetryableError, RetryAfterError } from "../engine/steps/retry-policy";
export type { HttpContext, HttpRun, HttpStepBody, HttpStepOptions } from "./http-context";
export type { HttpCode, HttpUndo, HttpWorkflow } from "./http-workflow";
export type { Server } from "./place";

const LEASE_MS = 30_000;
const CONCURRENCY = 10;
const CLAIM_WAIT_MS = 20_000;
/** Heartbeats in a lease. */
const BEATS = 4;
/** Of a lease whose quarter is less: what one heartbeat is given for its answer. */
const SHORTEST_BEAT_MS = 1_000;
/** The share of the lease in which a body may begin: the rest is for what the two clocks may differ by. */
const SAFE_SHARE = 2 / 3;
/** What `stop()` gives the bodies in flight before it aborts them. */
const BODIES_MS = 10_000;
const CLAIM_HEADER = "handrail-claim";
const NEVER = new Promise<never>(() => undefined);

export interface HttpWorkerOptions extends Server {
  /** For people. Default `http-worker`. */
  name?: string;
  /** For people. Default `TypeScript`. */
  language?: string;
  /** After so much silence it loses its runs: 1,000 to 600,000 ms. Default 30,000. */
  leaseMs?: number;
  /** Runs at once. Default 10. */
  concurrency?: number;
  /**
   * The commit or the version of your code, such as `process.env.HANDRAIL_BUILD`: the first worker of a new one marks a deploy. 200
   * visible ASCII characters without spaces at most. Default: unknown.
   */
  build?: string | undefined;
}

/** A worker that speaks HTTP alone: it runs where no database is, with the promises of any other (docs/any-language.md). */
export const createHttpWorker = (options: HttpWorkerOptions): HttpWorker => new HttpWorker(options);

interface Registration extends Holder {
  workerId: number;
  /** Aborted when the lease is lost, and at the end of the worker. */
  lost: AbortController;
  asked: number;
}

/** Made by `createHttpWorker`. */
export class HttpWorker {
  private readonly workflows = new Map<string, { definition: HttpWorkflow; code: HttpCode }>();
  private readonly claims = new Map<string, HttpClaim>();
  private readonly ending = new AbortController();
  private working: Promise<void> | undefined;
  private readonly api: Client;
  /** For heartbeats: one that hangs is sent again before the lease is over. */
  private readonly beats: Client;

  constructor(private readonly options: HttpWorkerOptions) {
    const { leaseMs = LEASE_MS } = options;
    this.api = clientOf(placeOf(options, Number.POSITIVE_INFINITY));
    this.beats = clientOf(placeOf(options, Number.POSITIVE_INFINITY, Math.max(leaseMs / BEATS, SHORTEST_BEAT_MS)));
  }

  /** One version of a workflow. Its code runs again from its top on every claim. Give each version that is still needed. */
  workflow<Input = unknown>(definition: HttpWorkflow, code: HttpCode<Input>): this {
    this.workflows.set(keyOf(definition.name, definition.version ?? 1), { definition, code: code as HttpCode });
    return this;
  }

  /**
   * Registers, and works from then on. Resolves when its workflows can be started.
   * @throws ApiError when it is refused, such as for a workflow that the installation's own code has
   */
  async start(): Promise<void> {
    const registration = await this.register();
    this.working ??= this.work(registration);
  }

  /**
   * Settles when it works no more; undefined before `start()`. It fails when the installation refuses it later, such as for a token
   * that has expired: unless you wait for it, that is an unhandled rejection.
   */
  get ended(): Promise<void> | undefined {
    return this.working;
  }

  /**
   * Begins nothing more, waits for the bodies in flight, hands the runs back and leaves. After ten seconds the bodies' signals are
   * aborted. Safe to call twice.
   */
  async stop(): Promise<void> {
    this.ending.abort();
    const each = (end: (claim: HttpClaim) => void) => [...this.claims.values()].forEach(end);
    each((claim) => claim.stop());
    const late = setTimeout(each, BODIES_MS, (claim: HttpClaim) => claim.abort());
    try {
      await this.working;
    } finally {
      clearTimeout(late);
    }
  }

  private clientOfClaim(secret: string, dropped: AbortSignal): Client {
    const place = placeOf(this.options, Number.POSITIVE_INFINITY);
    // What is sent again without an end fails only when its signal is aborted.
    const unlessDropped: typeof fetch = (address, init) =>
      dropped.aborted ? NEVER : place.fetch(address, { ...init, signal: dropped }).catch(() => NEVER);
    const headers = { ...place.headers, [CLAIM_HEADER]: secret };
    return clientOf({ ...place, headers, fetch: unlessDropped });
  }

  private async register(): Promise<Registration> {
    const {
      name = "http-worker",
      language = "TypeScript",
      leaseMs = LEASE_MS,
      concurrency = CONCURRENCY,
      build,
    } = this.options;
    const workflows = [...this.workflows.values()].map(({ definition: { undos: _, ...registered } }) => registered);
    const asked = performance.now();
    const request = { name, language, leaseMs, concurrency, workflows, ...(build && { build }) };
    const { workerId } = await this.api.post(
      "/v1/worker/registrations",
      {},
      { request, idempotencyKey: newIdempotencyKey() },
    );
    const registration: Registration = {
      workerId: Number(workerId),
      asked,
      lost: new AbortController(),
      clientFor: (secret, dropped) => this.clientOfClaim(secret, dropped),
      owns: () => !registration.lost.signal.aborted && performance.now() - registration.asked < leaseMs * SAFE_SHARE,
    };
    return registration;
  }

  private async work(first: Registration): Promise<void> {
    for (let registration = first; ; registration = await this.register()) {
      const beating = this.beat(registration);
      try {
        await this.serve(registration).catch(unlessEnded);
        if (this.ending.signal.aborted) await this.leave(registration);
      } finally {
        // Of a refusal, too: one that beats and claims nothing would pass for a worker.
        registration.lost.abort();
        await beating;
      }
      if (this.ending.signal.aborted) return;
      for (const claim of this.claims.values()) claim.drop();
    }
  }

  private async leave({ workerId }: Registration): Promise<void> {
    await this.untilFree(0);
    await this.api
      .post("/v1/worker/registrations/{workerId}/departure", { workerId }, { request: {} })
      .catch(unlessEnded);
  }

  private async serve(registration: Registration): Promise<void> {
    const { concurrency = CONCURRENCY } = this.options;
    const over = AbortSignal.any([registration.lost.signal, this.ending.signal]);
    while (!over.aborted) {
      await this.untilFree(concurrency - 1);
      const request = { limit: Math.min(concurrency - this.claims.size, 50), waitMs: CLAIM_WAIT_MS };
      const sending = { request, idempotencyKey: newIdempotencyKey(), signal: over };
      const { runs } = await this.api
        .post("/v1/worker/registrations/{workerId}/claims", { workerId: registration.workerId }, sending)
        .catch((error: unknown) => {
          if (over.aborted) return { runs: [] };
          throw error;
        });
      for (const run of runs) {
        const { definition, code } = this.workflows.get(keyOf(run.workflow, run.codeVersion)) ?? unknownCode(run);
        const claim = new HttpClaim(registration, run, definition, code);
        this.claims.set(run.id, claim);
        claim.ended.then(() => this.claims.get(run.id) === claim && this.claims.delete(run.id));
      }
    }
  }

  /** Until no more than so many runs are under way. */
  private async untilFree(most: number): Promise<void> {
    while (this.claims.size > most) await Promise.race([...this.claims.values()].map(({ ended }) => ended));
  }

  /** Keeps the lease, until it is lost. */
  private async beat(registration: Registration): Promise<void> {
    const { leaseMs = LEASE_MS } = this.options;
    const { lost, workerId } = registration;
    while (!lost.signal.aborted) {
      await sleep(leaseMs / BEATS, lost.signal).catch(() => undefined);
      if (lost.signal.aborted) return;
      const asked = performance.now();
      try {
        const path = "/v1/worker/registrations/{workerId}/heartbeats";
        const { cancelled, paused } = await this.beats.post(path, { workerId }, { request: {}, signal: lost.signal });
        registration.asked = asked;
        for (const runId of cancelled) this.claims.get(runId)?.abort();
        for (const runId of paused) this.claims.get(runId)?.stop();
      } catch {
        for (const claim of this.claims.values()) claim.drop();
        lost.abort();
      }
    }
  }
}

const keyOf = (name: string, version: number) => `${name}@${version}`;

/** A lease that is over is begun anew. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof ApiError && ["lease_ended", "unknown_worker"].includes(error.code))) throw error;
}

function unknownCode({ workflow, codeVersion }: { workflow: string; codeVersion: number }): never {
  throw new Error(`This worker has no version ${codeVersion} of "${workflow}".`);
}
