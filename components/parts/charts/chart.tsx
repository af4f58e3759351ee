"use client";

import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { classNames } from "@/lib/class-names";
import type { TimeStyle } from "@/lib/format/times";
import { CHART_TONES, type ChartData, type ChartSeries, DASHES, isEmpty, marksAt, pointsOf } from "./chart-series";
import { periodText, pointText } from "./chart-words";
import { usePlot } from "./use-plot";

interface ChartProps {
  /** What the chart shows, as its accessible name. */
  label: string;
  data: ChartData;
  format: (value: number) => string;
  /** No value can exceed it. */
  most?: number;
  height?: number;
  /** Called when a point is clicked, or chosen with Enter; absent if it leads nowhere. */
  onPick?: (point: { fromMs: number; untilMs: number }) => void;
  /** What picking does: "see these runs". */
  pickWords?: string;
  /** Shown in the chart while there is no data. */
  nothing: string;
}

/**
 * Bars and lines over time. The mouse and the arrow keys move one crosshair, whose point is also shown as text; a table
 * holds every value for screen readers.
 */
export function Chart({ label, data, format, most, height = 148, onPick, pickWords, nothing }: ChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const hint = useId();
  const count = pointsOf(data);
  const empty = isEmpty(data);
  const asked = useMemo(() => ({ format, most, height, onPoint: setActive }), [format, most, height]);
  const times = useTimes();
  const plot = usePlot(host, data, asked, times);
  const move = (index: number | null) => {
    setActive(index);
    plot?.point(index);
  };
  const pick = (index: number | null) => {
    if (!onPick || index === null) return;
    const fromMs = data.fromMs + index * data.pointMs;
    onPick({ fromMs, untilMs: fromMs + data.pointMs });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, active, count);
    if (next === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (next === undefined) pick(active);
    else move(next);
  };
  const at = active === null || active >= count ? null : active;
  return (
    <figure className="relative m-0 min-w-0">
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hint}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={at ?? Math.max(0, count - 1)}
        aria-valuetext={pointText(data, at ?? count - 1, format, times)}
        data-ring="inside"
        onKeyDown={onKeyDown}
        onClick={() => pick(at)}
        onBlur={() => move(null)}
        className={classNames("relative rounded-md", onPick && at !== null && "cursor-pointer")}
        style={{ height }}
      >
        <div ref={host} aria-hidden className="chart-plot absolute inset-0" />
        {at !== null && <Tip {...{ data, at, format, times }} left={plot?.leftOf(at) ?? null} picks={pickWords} />}
        {empty && (
          <p className="pointer-events-none absolute inset-0 grid place-content-center pb-6 text-center text-ink-3">
            <span className="bg-panel px-2">{nothing}</span>
          </p>
        )}
      </div>
      <span id={hint} className="sr-only">
        Arrow keys move through time{onPick && pickWords ? `, Enter: ${pickWords}` : ""}.
      </span>
      <Legend data={data} />
      <ChartTable {...{ label, data, format, times }} />
    </figure>
  );
}

/** Undefined: not our key. Null: no crosshair. */
function nextPoint(key: string, active: number | null, count: number): number | null | undefined {
  const last = count - 1;
  const from = active ?? last;
  if (key === "ArrowLeft" || key === "ArrowDown") return active === null ? last : Math.max(0, from - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(last, from + 1);
  if (key === "PageUp") return Math.min(last, from + 10);
  if (key === "PageDown") return Math.max(0, from - 10);
  if (key === "Home") return 0;
  if (key === "End") return last;
  return key === "Escape" && active !== null ? null : undefined;
}

interface TipProps {
  data: ChartData;
  at: number;
  format: (value: number) => string;
  times: TimeStyle;
  left: number | null;
  picks: string | undefined;
}

/** Beside the crosshair, on the side where there is room. */
function Tip({ data, at, format, times, left, picks }: TipProps) {
  const isLate = at > pointsOf(data) / 2;
  return (
    <div
      aria-hidden
      className={classNames(
        "pointer-events-none absolute top-1 z-10 rounded-md border border-line-strong bg-panel px-2.5 py-1.5 text-small shadow-float",
        isLate ? "-translate-x-[calc(100%+10px)]" : "translate-x-[10px]",
      )}
      style={{ left: left ?? `${((at + 0.5) / pointsOf(data)) * 100}%` }}
    >
      <p className="whitespace-nowrap font-medium">{periodText(data, at, times)}</p>
      <dl className="mt-0.5 grid grid-cols-[auto_1fr_auto] items-center gap-x-1.5">
        {data.series.map((series) => (
          <div key={series.name} className="col-span-3 grid grid-cols-subgrid items-center">
            <Swatch series={series} />
            <dt className="text-ink-2">{series.name}</dt>
            <dd className="pl-3 text-right font-medium">{textOf(series.values[at], format)}</dd>
          </div>
        ))}
      </dl>
      {marksAt(data, at).map((words, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name
        <p key={place} className="mt-0.5 whitespace-nowrap text-ink-2">
          {words}
        </p>
      ))}
      {at === pointsOf(data) - 1 && <p className="mt-0.5 text-ink-3">still filling</p>}
      {picks && <p className="mt-0.5 whitespace-nowrap text-ink-3">Click to {picks}</p>}
    </div>
  );
}

const textOf = (value: number | null | undefined, format: (value: number) => string) =>
  value === null || value === undefined ? "–" : format(value);

function Legend({ data }: { data: ChartData }) {
  return (
    <figcaption className="mt-1 flex flex-wrap gap-x-3.5 gap-y-0.5 pl-[46px] text-ink-3 text-small">
      {data.series.map((series) => (
        <span key={series.name} className="inline-flex items-center gap-1.5">
          <Swatch series={series} />
          {series.name}
        </span>
      ))}
    </figcaption>
  );
}

/** A small legend of a series: its shape identifies it where its color does not. */
function Swatch({ series: { tone, shape } }: { series: Pick<ChartSeries, "tone" | "shape"> }) {
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

interface ChartTableProps {
  label: string;
  data: ChartData;
  format: (value: number) => string;
  times: TimeStyle;
}

/** Every value of a chart, for screen readers and for copying. Points without any are left out: an empty hour would be sixty rows. */
function ChartTable({ label, data, format, times }: ChartTableProps) {
  const all = [...Array(pointsOf(data)).keys()];
  const shown = all.filter(
    (at) => data.series.some(({ values }) => values[at] != null) || marksAt(data, at).length > 0,
  );
  return (
    // Clipped by a separate box: a table is as large as its content.
    <div className="sr-only">
      <table>
        <caption>
          {label}
          {shown.length < all.length && ". Times without data are left out."}
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {data.series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((index) => (
            <tr key={index}>
              <th scope="row">{[periodText(data, index, times), ...marksAt(data, index)].join(", ")}</th>
              {data.series.map(({ name, values }) => (
                <td key={name}>{values[index] == null ? "–" : format(values[index])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
