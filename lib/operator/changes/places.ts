interface Size {
  /** Places in this process. */
  all: number;
  /** And so many of one person, in all their sessions, or of the tokens that one person has made. */
  ofOne: number;
  /** The last places are for those who have few, so that others find room however many one takes. */
  kept: number;
}

/** Who holds fewer than this finds room among the last places. */
const FEW = 10;

/** Places of those who wait here for something, counted by the person who answers for them; null where there is no sign-in. */
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

  /** Gives back one that was taken. */
  leave(by: string | null): void {
    this.count--;
    const left = (this.taken.get(by) ?? 0) - 1;
    if (left > 0) this.taken.set(by, left);
    else this.taken.delete(by);
  }
}
