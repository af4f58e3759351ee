import { classNames } from "@/lib/class-names";
import { formatDuration } from "@/lib/format";
import { type Axis, ticksOf } from "../lanes/ticks";
import type { Fold, TimeScale } from "../lanes/time-scale";
import type { Mark } from "../layers/layer";
import { TRACK_CELL } from "./columns";
import { RowMarks } from "./track";

interface TimelineAxisProps {
  scale: TimeScale;
  axis: Axis;
  marks?: readonly Mark[] | undefined;
  /** What an idle stretch was spent on: `asleep`. */
  wordOf: (fold: Fold) => string;
  onToggleFold: (at: number) => void;
}

/** The times above the bars; what is folded says how long it was, and unfolds when it is pressed. */
export function TimelineAxis({ scale, axis, marks, wordOf, onToggleFold }: TimelineAxisProps) {
  const { folds: folded, unfolded } = scale;
  const wordsOf = (fold: Fold) => `${formatDuration(fold.to - fold.from)} ${wordOf(fold)}`;
  return (
    <div className={classNames("relative h-6", TRACK_CELL)}>
      <span aria-hidden className="absolute inset-x-0 top-1 block h-4">
        {ticksOf(scale, axis)
          .filter(({ at, text }) => !folded.some((fold) => isBeside(fold, wordsOf(fold), at, text)))
          .map(({ at, text }) => (
            <span
              key={at}
              className="absolute whitespace-nowrap tabular-nums"
              style={{
                left: `${at * 100}%`,
                transform: at > 0.94 ? "translateX(-100%)" : at > 0.02 ? "translateX(-50%)" : undefined,
              }}
            >
              {text}
            </span>
          ))}
      </span>
      {[...folded, ...unfolded].map((fold) => (
        <FoldButton
          key={fold.from}
          fold={fold}
          words={wordsOf(fold)}
          folded={folded.includes(fold)}
          onToggle={() => onToggleFold(fold.from)}
        />
      ))}
      {marks && marks.length > 0 && (
        <span className="pointer-events-none absolute inset-x-0 -bottom-1 h-0">
          <RowMarks marks={marks} scale={scale} />
        </span>
      )}
    </div>
  );
}

/** Narrower folds have no room for their words. */
const ROOM = 0.04;

/** About half of what a text takes of a track beside the inspector. */
const halfOf = (text: string) => text.length * 0.0065;

/** Nearer to an end than this, centred words would overflow a phone. */
const EDGE = 0.17;

/** Where the words of a fold are: over its middle, or within the end that it is near. */
function anchorOf({ at, width }: Fold, words: string): { left: number; shift: number; middle: number } {
  const middle = at + width / 2;
  if (middle > 1 - EDGE) return { left: at + width, shift: -1, middle: at + width - halfOf(words) };
  if (middle < EDGE) return { left: at, shift: 0, middle: at + halfOf(words) };
  return { left: middle, shift: -0.5, middle };
}

/** A tick under the button of a fold could not be read. */
const isBeside = (fold: Fold, words: string, at: number, text: string) =>
  fold.width > ROOM && Math.abs(anchorOf(fold, words).middle - at) < halfOf(words) + halfOf(text);

interface FoldButtonProps {
  fold: Fold;
  words: string;
  folded: boolean;
  onToggle: () => void;
}

function FoldButton({ fold, words, folded, onToggle }: FoldButtonProps) {
  const { left, shift } = anchorOf(fold, words);
  return (
    <button
      type="button"
      aria-label={`${words}: ${folded ? "unfold" : "fold"}`}
      title={`${words}: ${folded ? "unfold" : "fold"}`}
      onClick={onToggle}
      className="absolute top-0 grid h-6 min-w-6 place-items-center"
      style={{ left: `${left * 100}%`, transform: `translateX(${shift * 100}%)` }}
    >
      <span className="rounded bg-gray-soft px-1 text-ink-2 whitespace-nowrap hover:text-ink">
        {fold.width >= ROOM ? words : "…"}
      </span>
    </button>
  );
}
