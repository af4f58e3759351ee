/** A sleep that can be interrupted. A ring between sleeps ends the next sleep at once, so none is lost. */
export class Alarm {
  private rung = false;
  private wake: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  wait(ms: number): Promise<void> {
    if (this.rung || ms <= 0) {
      this.rung = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake?.(), ms);
      this.wake = () => {
        clearTimeout(timer);
        this.wake = undefined;
        this.rung = false;
        resolve();
      };
    });
  }

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Rings once for all calls within the next `ms` milliseconds; at once for 0. */
  ringWithin(ms: number): void {
    if (ms <= 0) {
      this.ring();
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.ring();
    }, ms);
  }
}
