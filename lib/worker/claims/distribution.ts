/** How often a value was within each bound. Plain numbers: adding to it allocates nothing. */
export class Distribution {
  /** How many values are in each bucket, the last one above all bounds. */
  readonly counts: Float64Array;
  sum = 0;

  /** @param bounds upper ones, inclusive, ascending */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1);
  }

  add(value: number): void {
    const { bounds, counts } = this;
    let place = 0;
    while (place < bounds.length && value > (bounds[place] as number)) place++;
    counts[place] = (counts[place] as number) + 1;
    this.sum += value;
  }
}
