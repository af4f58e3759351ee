/** Does something when it is rung, once at a time. A ring while it does it is lost: ring again while there is something to do. */
export class OnCall {
  private round: Promise<void> | undefined;
  private stopped = false;

  constructor(
    /** `isStopped`: nothing more is to be begun. */
    private readonly work: (isStopped: () => boolean) => Promise<void>,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  start(): void {
    this.ring();
  }

  ring(): void {
    if (this.stopped) return;
    this.round ??= this.work(() => this.stopped)
      .catch(this.onTrouble)
      .finally(() => {
        this.round = undefined;
      });
  }

  /** Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.round;
  }
}
