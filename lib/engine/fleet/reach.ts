/** As many as a cell gives in one answer, and as few as are worth a request. */
const MOST_PER_PAGE = 200;
const LEAST_PER_PAGE = 50;
/** Cells hold unequal parts of the newest runs: each is asked for more than its equal part. */
const SPARE = 1.5;

/** How much of all cells is asked for. */
export interface Depth {
  /** Runs, a thousand at most. */
  runs: number;
  /** Answers of a search that has not found enough yet: each looks through 2,000 runs at most. */
  searches: number;
}

/**
 * How far down each cell is read for one list of the newest runs of all cells. Once the cells have given enough runs that
 * are newer than the rest of a cell, that cell is not read on: its rest is not on the list.
 */
export class Reach {
  private readonly firstPage: number;
  /** By the cell, newest first. A cell whose first answer is awaited is missing. */
  private readonly given = new Map<string, readonly string[]>();

  constructor(
    private readonly depth: Depth,
    private readonly cells: number,
  ) {
    this.firstPage = bounded((depth.runs / cells) * SPARE);
  }

  get wanted(): number {
    return this.depth.runs;
  }

  get searches(): number {
    return this.depth.searches;
  }

  /** A read of this cell begins anew. */
  begin(cell: string): void {
    this.given.delete(cell);
  }

  /** @param ids all that this cell has given; none also where it does not answer */
  note(cell: string, ids: readonly string[]): void {
    this.given.set(cell, ids);
  }

  /** Whether the list is full without any run that is older than this one. */
  isFullDownTo(id: string): boolean {
    return this.countDownTo(id) >= this.wanted;
  }

  /**
   * How many runs to ask this cell for: first its equal part and half as many again, then its share of what the list still
   * misses. Cells are read at the same time: after the first page, one that has not answered yet is expected to give as
   * many as this one.
   */
  nextPage(cell: string): number {
    const own = this.given.get(cell) ?? [];
    const last = own.at(-1);
    if (last === undefined) return Math.min(this.firstPage, this.wanted);
    const awaited = own.length <= this.firstPage ? this.cells - this.given.size : 0;
    const known = this.countDownTo(last) + awaited * own.length;
    return Math.min(bounded((this.wanted - known) * (own.length / known) * SPARE), this.wanted - own.length);
  }

  private countDownTo(id: string): number {
    let count = 0;
    for (const ids of this.given.values()) count += ids.filter((one) => one >= id).length;
    return count;
  }
}

const bounded = (size: number) => Math.min(Math.max(Math.ceil(size), LEAST_PER_PAGE), MOST_PER_PAGE);
