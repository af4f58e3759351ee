import type { ChangeFeed } from "./change-feed";

export interface Waiting {
  waitMs: number;
  /** The client has disconnected. */
  signal: AbortSignal;
  /** The user that the wait is counted by; null without sign-in. */
  by: string | null;
}

/** A wait for work that a notification cuts short. No connection is held meanwhile. */
export class LongPoll {
  private readonly deadline: number;
  private readonly unlisten: () => void;
  private called = false;
  private givenUp = false;
  private endNap: (() => void) | undefined;

  /** @throws HandrailError `too_busy` when too many wait already */
  constructor(feed: ChangeFeed, { waitMs, signal, by }: Waiting) {
    this.deadline = performance.now() + waitMs;
    feed.refuseWhenFull(by);
    this.unlisten = feed.listen({
      by,
      onChange: () => undefined,
      onWork: () => this.wake(),
      onResync: () => this.wake(),
      onClose: () => this.giveUp(),
    });
    if (signal.aborted) this.giveUp();
    signal.addEventListener("abort", () => this.giveUp(), { once: true });
  }

  /**
   * Resolves at the next notification, after `ms` at the latest; false after the timeout or when the client has
   * disconnected.
   */
  async again(ms: number): Promise<boolean> {
    const left = this.deadline - performance.now();
    if (left <= 0 || this.givenUp) return false;
    await this.nap(Math.min(left, ms));
    return !this.givenUp;
  }

  end(): void {
    this.unlisten();
  }

  private wake(): void {
    this.called = true;
    this.endNap?.();
  }

  private giveUp(): void {
    this.givenUp = true;
    this.wake();
  }

  /** A notification since the last nap cuts this one short. */
  private async nap(ms: number): Promise<void> {
    if (!this.called)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.endNap = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.called = false;
  }
}
