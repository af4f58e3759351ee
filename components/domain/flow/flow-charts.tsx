"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { marksOf } from "@/components/domain/deploys/deploy-marks";
import { Chart } from "@/components/parts/charts/chart";
import type { ChartData, ChartSeries } from "@/components/parts/charts/chart-series";
import { Card } from "@/components/ui/layout/card";
import type { FlowPoint, FlowTotals, Flow as FlowView } from "@/lib/api/contract/flow";
import { failureRatio } from "@/lib/engine/flow/flow";
import { formatCount, formatDuration } from "@/lib/format";
import { changeText, percentText, pointsText } from "./compare-words";
import { isBehind, isCounted } from "./counted";

type Flow = Omit<FlowView, "workflows">;

interface FlowChartsProps {
  flow: Flow;
  /** The workflows of the charts; empty for all. */
  workflow: readonly string[];
}

const endsOf = (of: FlowTotals) => of.completed + of.failed + of.cancelled + of.compensated;

/** How much ended, how much of it failed, and how long it took and waited: four charts of one window. */
export function FlowCharts(props: FlowChartsProps) {
  return (
    <>
      <Counts {...props} />
      <Spans {...props} />
    </>
  );
}

function usePick(workflow: readonly string[]) {
  const router = useRouter();
  return (status: "failed" | null) => (point: { fromMs: number; untilMs: number }) =>
    router.push(runsBetween({ ...point, workflow, status }));
}

function Counts({ flow, workflow }: FlowChartsProps) {
  const pick = usePick(workflow);
  const { totals, before } = flow;
  const ended = endsOf(totals);
  const ratio = failureRatio(totals);
  return (
    <>
      <Figure
        title="Ended"
        note="in this window"
        figure={flow.points.some((point) => isCounted(point, flow)) ? formatCount(ended) : "–"}
        change={changeText(ended, endsOf(before), flow)}
      >
        <Chart
          label={`Runs started and ended, per ${widthText(flow.pointMs)}`}
          data={dataOf(flow, [
            { name: "Ended", tone: "quiet", shape: "bars", of: endsOf },
            { name: "Failed", tone: "red", shape: "bars", of: ({ failed }) => failed },
            { name: "Started", tone: "accent", shape: "line", of: ({ started }) => started },
          ])}
          format={countText}
          onPick={pick(null)}
          pickWords="view these runs"
          nothing={nothingText(flow, "No run started or ended in this window.")}
        />
      </Figure>
      <Figure
        title="Failed"
        note="of what completed or failed"
        figure={ratio === null ? "–" : percentText(ratio)}
        change={pointsText(ratio, failureRatio(before), flow)}
      >
        <Chart
          label="Share of runs that failed"
          data={dataOf(flow, [{ name: "Failed", tone: "red", shape: "line", of: failureRatio }])}
          format={percentText}
          most={1}
          onPick={pick("failed")}
          pickWords="view these failures"
          nothing={nothingText(flow, ended === 0 ? NOTHING_ENDED : "Nothing failed in this window.")}
        />
      </Figure>
    </>
  );
}

function Spans({ flow, workflow }: FlowChartsProps) {
  const pick = usePick(workflow);
  const { totals, before } = flow;
  return (
    <>
      <Figure
        title="Took"
        note="first claim to end"
        figure={spanText(totals.p50Ms)}
        aside={totals.p95Ms === null ? null : `p50 · p95 ${spanText(totals.p95Ms)}`}
        change={changeText(totals.p95Ms, before.p95Ms, flow)}
      >
        <Chart
          label="How long runs took"
          data={dataOf(flow, [
            { name: "p99", tone: "amber", shape: "dotted", of: ({ p99Ms }) => p99Ms },
            { name: "p95", tone: "violet", shape: "dashed", of: ({ p95Ms }) => p95Ms },
            { name: "p50", tone: "accent", shape: "line", of: ({ p50Ms }) => p50Ms },
          ])}
          format={formatDuration}
          onPick={pick(null)}
          pickWords="view these runs"
          nothing={nothingText(flow, NOTHING_ENDED)}
        />
      </Figure>
      <Figure
        title="Waited"
        note="start to first claim"
        figure={spanText(totals.queuedP50Ms)}
        aside={totals.queuedP95Ms === null ? null : `p50 · p95 ${spanText(totals.queuedP95Ms)}`}
        change={changeText(totals.queuedP95Ms, before.queuedP95Ms, flow)}
      >
        <Chart
          label="How long runs waited to start"
          data={dataOf(flow, [
            { name: "p95", tone: "violet", shape: "dashed", of: ({ queuedP95Ms }) => queuedP95Ms },
            { name: "p50", tone: "accent", shape: "line", of: ({ queuedP50Ms }) => queuedP50Ms },
          ])}
          format={formatDuration}
          onPick={pick(null)}
          pickWords="view these runs"
          nothing={nothingText(flow, NOTHING_ENDED)}
        />
      </Figure>
    </>
  );
}

interface FigureProps {
  title: string;
  note: string;
  figure: string;
  aside?: string | null;
  /** Null: there is nothing to compare with. */
  change: string | null;
  children: ReactNode;
}

function Figure({ title, note, figure, aside, change, children }: FigureProps) {
  return (
    <Card title={title} note={note} className="pb-3.5">
      <div className="px-4">
        <p className="flex min-h-9 flex-wrap items-baseline gap-x-2 pb-1.5">
          <span className="font-semibold text-figure tracking-tight">{figure}</span>
          {aside && <span className="text-ink-2">{aside}</span>}
          {change && <span className="ml-auto text-ink-3 text-small">{change}</span>}
        </p>
        {children}
      </div>
    </Card>
  );
}

type SeriesOf = Pick<ChartSeries, "name" | "tone" | "shape"> & { of: (point: FlowPoint) => number | null };

const NOTHING_ENDED = "Nothing ended in this window.";

/** In place of a chart without data. */
const nothingText = (flow: Flow, text: string) => (isBehind(flow) ? "Not counted yet." : text);

function dataOf(flow: Flow, series: readonly SeriesOf[]): ChartData {
  const { from, pointMs, points, deploys } = flow;
  const known = (point: FlowPoint, of: SeriesOf["of"]) => (isCounted(point, flow) ? of(point) : null);
  return {
    fromMs: Date.parse(from),
    pointMs,
    marks: marksOf(deploys),
    series: series.map(({ of, ...look }) => ({ ...look, values: points.map((point) => known(point, of)) })),
  };
}

const countText = (count: number) => formatCount(Math.round(count * 10) / 10);

const spanText = (ms: number | null) => (ms === null ? "–" : formatDuration(ms));

const HOUR_MS = 3_600_000;

const widthText = (ms: number) => (ms >= HOUR_MS ? hoursText(ms / HOUR_MS) : minutesText(ms / 60_000));
const hoursText = (hours: number) => (hours === 1 ? "hour" : `${hours} hours`);
const minutesText = (minutes: number) => (minutes === 1 ? "minute" : `${minutes} minutes`);

interface RunsBetween {
  fromMs: number;
  untilMs: number;
  workflow: readonly string[];
  status?: "failed" | null;
}

/** The list of runs that were started then. */
function runsBetween({ fromMs, untilMs, workflow, status }: RunsBetween): string {
  const query = new URLSearchParams();
  if (status) query.set("status", status);
  if (workflow.length > 0) query.set("workflow", workflow.join(","));
  query.set("since", new Date(fromMs).toISOString());
  query.set("until", new Date(untilMs).toISOString());
  return `/runs?${query}`;
}
