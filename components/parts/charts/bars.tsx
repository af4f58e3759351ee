import { classNames } from "@/lib/class-names";

export interface Bar {
  /** Start; milliseconds since 1970. */
  at: number;
  /** Its time and its counts, in words. */
  label: string;
  /** From the ground up. */
  parts: readonly { value: number; tone: BarTone }[];
}

const TONES = { red: "fill-red", quiet: "fill-field", accent: "fill-accent" };
type BarTone = keyof typeof TONES;

const HEIGHT = 24;
const GROUND = 0.5;

interface BarMark {
  /** From 0, where the first bar begins, to 1, where the last one ends. */
  place: number;
  /** Its time and what it is, in words. */
  label: string;
}

interface BarsProps {
  bars: readonly Bar[];
  /** Thin lines across it. */
  marks?: readonly BarMark[];
  /** The chart in a sentence. */
  label: string;
  className?: string;
}

/** Counts over time, stacked; a non-zero part is always visible. */
export function Bars({ bars, marks = [], label, className }: BarsProps) {
  const most = Math.max(1, ...bars.map(totalOf));
  const width = 100 / Math.max(1, bars.length);
  return (
    <svg
      role="img"
      aria-label={[label, ...marks.map((mark) => mark.label)].join("; ")}
      viewBox={`0 0 100 ${HEIGHT}`}
      preserveAspectRatio="none"
      className={classNames("block", className)}
    >
      <rect x={0} y={HEIGHT - GROUND} width={100} height={GROUND} className="fill-line-strong" />
      {bars.map((bar, index) => (
        <g key={bar.at}>
          <title>{bar.label}</title>
          {/* If there is nothing to point at. */}
          <rect x={index * width} y={0} width={width} height={HEIGHT} className="fill-transparent" />
          {stacked(bar, most).map(({ tone, y, height }) => (
            <rect
              key={tone}
              x={index * width + width * 0.12}
              y={y}
              width={width * 0.76}
              height={height}
              className={TONES[tone]}
            />
          ))}
        </g>
      ))}
      {marks.map((mark) => (
        <g key={`${mark.place} ${mark.label}`}>
          <title>{mark.label}</title>
          <line
            x1={mark.place * 100}
            x2={mark.place * 100}
            y1={0}
            y2={HEIGHT}
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink-2"
          />
        </g>
      ))}
    </svg>
  );
}

const totalOf = ({ parts }: Bar) => parts.reduce((sum, { value }) => sum + value, 0);

function stacked({ parts }: Bar, most: number) {
  let y = HEIGHT - GROUND;
  return parts
    .filter(({ value }) => value > 0)
    .map(({ value, tone }) => {
      const height = Math.max(1.5, (value / most) * (HEIGHT - 1));
      y = Math.max(0, y - height);
      return { tone, y, height };
    });
}
