interface Size {
  /** Places in this process. */
  all: number;
  /** Places of one user, over all their sessions and all tokens they made. */
  ofOne: number;
  /** The last places are reserved for users who hold few, so that one user cannot take them all. */
  kept: number;
}

/** Users who hold fewer than this may take one of the last places. */
const FEW = 10;

/** Places of waiting clients, counted by user; null without sign-in. */
export class Places {
  private readonly taken = new Map<string | null, number>();
  private count = 0;

  constructor(private readonly size: Size) {}

  isFullFor(by: string | null): boolean {
    const own = by === null ? 0 : (this.taken.get(by) ?? 0);
    const left = this.size.all - this.count;
    return left <= 0 || own >= this.size.ofOne || (left <= this.size.kept && own >= FEW);
  }

  take(by: string | null): void {
    this.count++;
    this.taken.set(by, (this.taken.get(by) ?? 0) + 1);
  }

  /** Returns a place. */
  leave(by: string | null): void {
    this.count--;
    const left = (this.taken.get(by) ?? 0) - 1;
    if (left > 0) this.taken.set(by, left);
    else this.taken.delete(by);
  }
}
