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
 * How far down each cell is read for one list of the newest runs of all cells. Once the others have given enough runs that
 * are newer, a cell is not read on: what is older there is not on the list.
 */
export class Reach {
  readonly perPage: number;
  private readonly given = new Map<string, readonly string[]>();

  constructor(
    private readonly depth: Depth,
    cells: number,
  ) {
    const part = Math.ceil((depth.runs / cells) * SPARE);
    this.perPage = Math.min(Math.max(part, LEAST_PER_PAGE), MOST_PER_PAGE);
  }

  get wanted(): number {
    return this.depth.runs;
  }

  get searches(): number {
    return this.depth.searches;
  }

  /** @param ids all that this cell has given; none when its read begins anew */
  note(cell: string, ids: readonly string[]): void {
    this.given.set(cell, ids);
  }

  /** Whether the list is full of runs that are newer than this one. */
  isFullAbove(id: string): boolean {
    let newer = 0;
    for (const ids of this.given.values()) newer += ids.filter((one) => one > id).length;
    return newer >= this.wanted;
  }
}
