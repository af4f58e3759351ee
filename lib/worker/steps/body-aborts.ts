import { ABORT_GRACE_MS, ABORTED_BECAUSE, type StopReason } from "../passes/stop-reason";

/** The bodies of a pass in flight: they are aborted together, and abandoned when they ignore it. */
export class BodyAborts {
  private controller: AbortController | undefined;
  private aborted: Error | undefined;
  /** Made by the first: few bodies are waited for, and a worker has hundreds of passes. */
  private abandonments: Set<(error: Error) => void> | undefined;
  private grace: NodeJS.Timeout | undefined;
  private graceEndsAt = Number.POSITIVE_INFINITY;

  /**
   * Aborts when the bodies are; each gets it combined with its own timeout. Created on first use: few bodies need it.
   */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.aborted) this.controller.abort(this.aborted);
    }
    return this.controller.signal;
  }

  /** Why they were aborted; undefined while they were not. */
  get because(): Error | undefined {
    return this.aborted;
  }

  /**
   * Bodies that ignore the abort are abandoned after a while: a pass does not end under a body, and must end. Being asked again, as
   * by each heartbeat of a cancelled run, makes it no later.
   */
  abort(reason: StopReason): void {
    const error = new Error(ABORTED_BECAUSE[reason]);
    this.aborted ??= error;
    this.controller?.abort(error);
    const endsAt = performance.now() + ABORT_GRACE_MS[reason];
    if (endsAt >= this.graceEndsAt) return;
    this.graceEndsAt = endsAt;
    clearTimeout(this.grace);
    this.grace = setTimeout(() => {
      for (const abandon of [...(this.abandonments ?? [])]) abandon(error);
    }, ABORT_GRACE_MS[reason]);
  }

  /** Called when the body is no longer waited for. The returned function unregisters it. */
  onAbandon(abandon: (error: Error) => void): () => void {
    this.abandonments ??= new Set();
    this.abandonments.add(abandon);
    return () => this.abandonments?.delete(abandon);
  }

  /** None is in flight any more. */
  close(): void {
    clearTimeout(this.grace);
  }
}
