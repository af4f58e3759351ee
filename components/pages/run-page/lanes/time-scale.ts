export interface Interval {
  /** Milliseconds since 1970. */
  from: number;
  to: number;
}

/** A long stretch of idle time, drawn with a fixed width. Places are shares of the width, 0 to 1. */
export interface Fold extends Interval {
  at: number;
  width: number;
}

export interface TimeScale extends Interval {
  /** Where an instant is drawn, 0 to 1; what lies outside is drawn at the edge. */
  place: (ms: number) => number;
  /** The instant at a place. */
  timeAt: (place: number) => number;
  folds: Fold[];
  /** Idle stretches that the user has unfolded, as they are drawn. */
  unfolded: Fold[];
  /** What is drawn at its own length, in order. */
  open: Fold[];
}

/** Idle time is folded from this share of what else is drawn, and from this length: shorter waits tell their story by their width. */
const FOLD_SHARE = 0.2;
const FOLD_MS = 30_000;
/** Of one fold, and of all together. */
const FOLD_WIDTH = 0.1;
const FOLDS_WIDTH = 0.4;
const MAX_FOLDS = 60;

interface Cut extends Interval {
  folded: boolean;
}

type Piece = Fold & Cut;

/**
 * Time to place, with long idle stretches folded, so that three days of sleep do not hide two seconds of work.
 * @param unfolded starts of idle stretches that are drawn at their length nevertheless
 */
export function timeScale(
  span: Interval,
  busy: readonly Interval[],
  unfolded: ReadonlySet<number> = new Set(),
): TimeScale {
  const whole = { from: span.from, to: Math.max(span.to, span.from + 1) };
  const gaps = foldedGaps(whole, busy);
  const pieces = layOut(
    cutAtFolds(
      whole,
      gaps.filter(({ from }) => !unfolded.has(from)),
    ),
  );
  const place = (ms: number) => placeIn(pieces, Math.min(whole.to, Math.max(whole.from, ms)));
  return {
    ...whole,
    place,
    timeAt: (at) => timeIn(pieces, Math.min(1, Math.max(0, at))),
    folds: pieces.filter(({ folded }) => folded),
    unfolded: gaps
      .filter(({ from }) => unfolded.has(from))
      .map((gap) => ({ ...gap, at: place(gap.from), width: place(gap.to) - place(gap.from) })),
    open: pieces.filter(({ folded }) => !folded),
  };
}

/** The longest gaps, as far as each is long beside what is drawn once it and the longer ones are folded. */
function foldedGaps(span: Interval, busy: readonly Interval[]): Interval[] {
  const longest = gapsBetween(span, busy)
    .filter((gap) => length(gap) >= FOLD_MS)
    .sort((a, b) => length(b) - length(a))
    .slice(0, MAX_FOLDS);
  let drawn = length(span);
  let count = 0;
  longest.forEach((gap, index) => {
    drawn -= length(gap);
    if (length(gap) > FOLD_SHARE * drawn) count = index + 1;
  });
  return longest.slice(0, count).sort((a, b) => a.from - b.from);
}

const length = ({ from, to }: Interval) => to - from;

/** The same times for a scale, but few: in order, and as one where nothing that lies between would ever be folded. */
export function stretchesOf(busy: readonly Interval[]): Interval[] {
  const stretches: Interval[] = [];
  for (const { from, to } of [...busy].sort((a, b) => a.from - b.from)) {
    const last = stretches.at(-1);
    if (last && from - last.to < FOLD_MS) last.to = Math.max(last.to, to);
    else stretches.push({ from, to });
  }
  return stretches;
}

function gapsBetween(span: Interval, busy: readonly Interval[]): Interval[] {
  const gaps: Interval[] = [];
  let reached = span.from;
  for (const { from, to } of [...busy].sort((a, b) => a.from - b.from)) {
    if (from > reached) gaps.push({ from: reached, to: Math.min(from, span.to) });
    reached = Math.max(reached, to);
  }
  if (reached < span.to) gaps.push({ from: reached, to: span.to });
  return gaps.filter((gap) => gap.to > gap.from);
}

function cutAtFolds(span: Interval, folds: Interval[]): Cut[] {
  const cuts: Cut[] = [];
  let reached = span.from;
  for (const fold of folds) {
    if (fold.from > reached) cuts.push({ from: reached, to: fold.from, folded: false });
    cuts.push({ ...fold, folded: true });
    reached = fold.to;
  }
  if (reached < span.to) cuts.push({ from: reached, to: span.to, folded: false });
  return cuts;
}

function layOut(cuts: Cut[]): Piece[] {
  const open = cuts.filter(({ folded }) => !folded);
  const openMs = open.reduce((sum, cut) => sum + length(cut), 0);
  const folds = cuts.length - open.length;
  const foldWidth = openMs === 0 ? 1 / folds : Math.min(FOLD_WIDTH, FOLDS_WIDTH / folds);
  const openWidth = openMs === 0 ? 0 : 1 - folds * foldWidth;
  let at = 0;
  return cuts.map((cut) => {
    const width = cut.folded ? foldWidth : (length(cut) / openMs) * openWidth;
    const piece = { ...cut, at, width };
    at += width;
    return piece;
  });
}

function placeIn(pieces: Piece[], ms: number): number {
  const piece = pieceAt(pieces, ({ to }) => ms <= to);
  return piece ? piece.at + (length(piece) === 0 ? 0 : ((ms - piece.from) / length(piece)) * piece.width) : 0;
}

function timeIn(pieces: Piece[], at: number): number {
  const piece = pieceAt(pieces, (candidate) => at <= candidate.at + candidate.width);
  return piece ? piece.from + (piece.width === 0 ? 0 : ((at - piece.at) / piece.width) * length(piece)) : 0;
}

/** The first piece that reaches so far; else the last. Thousands of bars ask, so by halves. */
function pieceAt(pieces: Piece[], reaches: (piece: Piece) => boolean): Piece | undefined {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reaches(pieces[middle] as Piece)) high = middle;
    else low = middle + 1;
  }
  return pieces[low];
}
