import { CHART_TONES, type ChartSeries, DASHES } from "./chart-series";

/** A small legend of a series: its shape identifies it where its color does not. */
export function Swatch({ series: { tone, shape } }: { series: Pick<ChartSeries, "tone" | "shape"> }) {
  const colour = `var(${CHART_TONES[tone]})`;
  return (
    <svg aria-hidden viewBox="0 0 14 10" className="h-2.5 w-3.5 shrink-0">
      {shape === "bars" ? (
        <>
          <rect x="1" y="4" width="3.4" height="6" rx="0.6" fill={colour} opacity={tone === "quiet" ? 0.55 : 1} />
          <rect x="5.4" y="1" width="3.4" height="9" rx="0.6" fill={colour} opacity={tone === "quiet" ? 0.55 : 1} />
          <rect x="9.8" y="5.5" width="3.4" height="4.5" rx="0.6" fill={colour} opacity={tone === "quiet" ? 0.55 : 1} />
        </>
      ) : (
        <line
          x1="0.5"
          y1="5"
          x2="13.5"
          y2="5"
          stroke={colour}
          strokeWidth="1.8"
          strokeDasharray={DASHES[shape].join(" ")}
        />
      )}
    </svg>
  );
}
