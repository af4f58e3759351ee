interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** One statement for many: what gathers while one is under way goes into the next. */
export class Gathered<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private working = false;

  /**
   * @param work on some items at once, with a result for each in their order; if it throws, all of them are refused
   * @param most items at once
   */
  constructor(
    private readonly work: (items: Item[]) => Promise<readonly Result[]>,
    private readonly most: number,
  ) {}

  do(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.working) void this.workOnAll();
    });
  }

  private async workOnAll(): Promise<void> {
    this.working = true;
    // Includes what the rest of this turn of the event loop adds.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0) await this.workOn(this.waiting.splice(0, this.most));
    this.working = false;
  }

  private async workOn(some: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(some.map(({ item }) => item));
      for (const [place, { resolve }] of some.entries()) resolve(results[place] as Result);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}
