/**
 * Repeats something with a pause after each time, until it is stopped. Errors are reported, and the round is retried.
 */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;

  constructor(
    /** `isStopped`: nothing more is to be begun. */
    private readonly work: (isStopped: () => boolean) => Promise<void>,
    private readonly pauseMs: number,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  start(): void {
    this.round = this.work(() => this.stopped)
      .catch(this.onTrouble)
      .then(() => {
        if (!this.stopped) this.timer = setTimeout(() => this.start(), this.pauseMs);
      });
  }

  /** Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.round;
  }
}
