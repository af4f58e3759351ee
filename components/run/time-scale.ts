import { formatDuration } from "@/lib/format";

export interface Interval {
  from: number;
  to: number;
}

/** A long stretch of idle time, drawn as a zig-zag of fixed width. Places are shares of the width, 0 to 1. */
export interface Fold {
  at: number;
  width: number;
  ms: number;
}

export interface Tick {
  at: number;
  text: string;
}

export interface TimeScale {
  place: (ms: number) => number;
  folds: Fold[];
  ticks: Tick[];
}

/** Idle time is folded from this share of what is drawn, and from this length: shorter waits tell their story by their width. */
const FOLD_SHARE = 0.2;
const FOLD_MS = 30_000;
const FOLD_WIDTH = 0.1;
const MAX_FOLDS = 5;
const TICKS = 5;
const TICK_DISTANCE = 0.1;

interface Piece extends Interval {
  folded: boolean;
  at: number;
  width: number;
}

/** Time to place, with long idle stretches folded, so that three days of sleep do not hide two seconds of work. */
export function timeScale(span: Interval, busy: Interval[]): TimeScale {
  const from = span.from;
  const to = Math.max(span.to, from + 1);
  const pieces = layOut(cutAtFolds({ from, to }, foldedGaps({ from, to }, busy)));
  return {
    place: (ms) => placeIn(pieces, Math.min(to, Math.max(from, ms))),
    folds: pieces
      .filter(({ folded }) => folded)
      .map((piece) => ({ at: piece.at, width: piece.width, ms: piece.to - piece.from })),
    ticks: ticksOf(pieces, from),
  };
}

function foldedGaps(span: Interval, busy: Interval[]): Interval[] {
  const gaps = gapsBetween(span, busy).sort((a, b) => length(b) - length(a));
  const folded: Interval[] = [];
  let drawn = length(span);
  for (const gap of gaps) {
    if (folded.length === MAX_FOLDS || length(gap) < FOLD_MS || length(gap) <= FOLD_SHARE * drawn) break;
    folded.push(gap);
    drawn -= length(gap);
  }
  return folded.sort((a, b) => a.from - b.from);
}

const length = ({ from, to }: Interval) => to - from;

function gapsBetween(span: Interval, busy: Interval[]): Interval[] {
  const gaps: Interval[] = [];
  let reached = span.from;
  for (const { from, to } of [...busy].sort((a, b) => a.from - b.from)) {
    if (from > reached) gaps.push({ from: reached, to: Math.min(from, span.to) });
    reached = Math.max(reached, to);
  }
  if (reached < span.to) gaps.push({ from: reached, to: span.to });
  return gaps.filter((gap) => gap.to > gap.from);
}

function cutAtFolds(span: Interval, folds: Interval[]): (Interval & { folded: boolean })[] {
  const pieces: (Interval & { folded: boolean })[] = [];
  let reached = span.from;
  for (const fold of folds) {
    if (fold.from > reached) pieces.push({ from: reached, to: fold.from, folded: false });
    pieces.push({ ...fold, folded: true });
    reached = fold.to;
  }
  if (reached < span.to) pieces.push({ from: reached, to: span.to, folded: false });
  return pieces;
}

function layOut(cuts: (Interval & { folded: boolean })[]): Piece[] {
  const open = cuts.filter(({ folded }) => !folded);
  const openMs = open.reduce((sum, cut) => sum + length(cut), 0);
  const folds = cuts.length - open.length;
  const foldWidth = openMs === 0 ? 1 / folds : FOLD_WIDTH;
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
  const piece = pieces.find(({ from, to }) => ms >= from && ms <= to) ?? pieces.at(-1);
  if (!piece) return 0;
  return piece.at + (length(piece) === 0 ? 0 : ((ms - piece.from) / length(piece)) * piece.width);
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1_800e3,
  3_600e3, 7_200e3, 10_800e3, 21_600e3, 43_200e3, 86_400e3, 172_800e3, 604_800e3, 1_209_600e3, 2_592_000e3,
];

/** Elapsed time at round places, and where a folded stretch ends. */
function ticksOf(pieces: Piece[], start: number): Tick[] {
  const open = pieces.filter(({ folded }) => !folded);
  const openMs = open.reduce((sum, piece) => sum + length(piece), 0);
  const step = STEPS_MS.find((candidate) => candidate >= openMs / TICKS) ?? openMs;
  const ticks: Tick[] = [];
  for (const piece of open) {
    const behindFold = piece.from > start;
    if (behindFold) addTick(ticks, piece.at, piece.from - start);
    for (let ms = Math.ceil((piece.from - start) / step) * step; step > 0 && ms <= piece.to - start; ms += step)
      addTick(ticks, placeIn(pieces, start + ms), ms);
  }
  return ticks;
}

function addTick(ticks: Tick[], at: number, ms: number): void {
  const last = ticks.at(-1);
  if (last && at - last.at < TICK_DISTANCE) return;
  ticks.push({ at, text: ms === 0 ? "0" : formatDuration(ms) });
}
