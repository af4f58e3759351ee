"use client";

import { CircleAlert } from "lucide-react";
import Link from "next/link";
import { useQueryState } from "nuqs";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import { SEGMENT_LOOKS } from "@/components/domain/run/segment-kinds";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { JsonView } from "@/components/parts/values/json-view";
import type { Run } from "@/lib/api/contract/run";
import type { Span } from "@/lib/api/contract/spans";
import { classNames } from "@/lib/class-names";
import { plural } from "@/lib/format";
import { formatFineDuration } from "@/lib/format/fine-duration";
import { attemptHref } from "../address/attempt-href";
import { runPageUrl } from "../address/run-url";
import { idleWord } from "../lanes/scales";
import type { TimeScale } from "../lanes/time-scale";
import { useDrawnRun, useLanes } from "../lanes/use-drawn-run";
import { stepsOfSpans } from "../layers/layers-of";
import { TimelineAxis } from "../timeline/axis";
import { TIMELINE_GRID, TRACK_CELL } from "../timeline/columns";
import { mainOf, useOneTabStop } from "../timeline/use-one-tab-stop";
import { useTimelineView } from "../timeline/use-timeline-view";
import { rowsOf, type SpanRow, spanScale, spanWords } from "./span-tree";

/** Deeper spans are drawn as deep as this: their names need room. */
const MAX_DEPTH = 12;

export function SpanList({ run, spans }: { run: Run; spans: readonly Span[] }) {
  const drawn = useDrawnRun(run).run;
  const { lanes } = useLanes(drawn);
  const view = useTimelineView(run);
  const times = useTimes();
  const rows = useMemo(() => rowsOf(spans), [spans]);
  const scale = useMemo(
    () => spanScale(rows, lanes, view.window, view.unfolded),
    [rows, lanes, view.window, view.unfolded],
  );
  const [open, setOpen] = useQueryState("span", runPageUrl.span);
  const stepOf = useMemo(() => stepsOfSpans(spans), [spans]);
  const list = useRef<HTMLUListElement>(null);
  useOneTabStop(list);
  const startMs = Date.parse(run.createdAt);
  return (
    <>
      <div className={classNames(TIMELINE_GRID, "text-ink-3 text-micro")}>
        <span className="max-md:sr-only">Span</span>
        <TimelineAxis
          scale={scale}
          axis={view.axis === "clock" ? { times } : { from: startMs }}
          wordOf={(fold) => idleWord(lanes, fold)}
          onToggleFold={view.toggleFold}
        />
      </div>
      <ul ref={list} aria-label={`Trace of ${plural(rows.length, "span")}`} onKeyDown={moveThrough}>
        {rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            index={index}
            scale={scale}
            words={spanWords(row, startMs)}
            open={open === row.span.spanId}
            onToggle={() => void setOpen(open === row.span.spanId ? null : row.span.spanId)}
          >
            <ToAttempt run={run} span={row.span} made={stepOf(row.span)} />
          </Row>
        ))}
      </ul>
    </>
  );
}

/** To the attempt in which the span was made. Where a workflow masks fields, spans may not have the step's own name. */
function ToAttempt({ run, span, made }: { run: Run; span: Span; made: ReturnType<ReturnType<typeof stepsOfSpans>> }) {
  if (made === null || !run.steps.some(({ name }) => name === made.name)) return null;
  const { name: step, attempt } = made;
  return (
    <>
      <Link
        href={attemptHref(run, { step, attempt, at: span.startedAt })}
        prefetch={false}
        className="text-accent underline"
      >
        <span className="font-mono">{step}</span>
        {attempt !== null && ` attempt ${attempt}`}
      </Link>
      {" · "}
    </>
  );
}

/** The arrows, Home and End go through the rows, of which Tab stops at one. */
function moveThrough(event: KeyboardEvent<HTMLUListElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-index]")];
  const at = all.findIndex((row) => row.contains(event.target as Node));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  const row = to === undefined ? null : mainOf(all[to]);
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  row.focus();
}

interface RowProps {
  row: SpanRow;
  index: number;
  scale: TimeScale;
  words: string;
  open: boolean;
  onToggle: () => void;
  /** Where it leads to, once it is open. */
  children: ReactNode;
}

function Row({ row, index, scale, words, open, onToggle, children }: RowProps) {
  const { span, depth } = row;
  const item = useRef<HTMLLIElement>(null);
  const opensWithPage = useRef(open);
  useEffect(() => {
    if (opensWithPage.current) item.current?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <li
      ref={item}
      data-index={index}
      className="border-line border-t [contain-intrinsic-size:auto_34px] [content-visibility:auto] first:border-t-0"
    >
      <button
        type="button"
        data-row
        aria-expanded={open}
        aria-label={words}
        onClick={onToggle}
        className={classNames(TIMELINE_GRID, "min-h-8 w-full items-center py-1 text-left hover:bg-sunken")}
      >
        <span
          className="flex min-w-0 items-baseline gap-1.5 text-small"
          style={{ paddingLeft: `${Math.min(depth, MAX_DEPTH) * 10}px` }}
        >
          {span.status === "error" && <CircleAlert aria-hidden className="size-3.5 shrink-0 self-center text-red" />}
          <span className="truncate" title={span.name}>
            {span.name}
          </span>
          <span className="min-w-8 shrink-[9] truncate text-ink-3 text-micro" title={span.service}>
            {span.service}
          </span>
        </span>
        <Bar row={row} scale={scale} />
        <span className="text-right text-ink-3 text-small tabular-nums max-md:col-start-2 max-md:row-start-1">
          {formatFineDuration(span.durationMs)}
        </span>
      </button>
      {open && <SpanDetail span={span}>{children}</SpanDetail>}
    </li>
  );
}

/** The button says in words what it shows. */
function Bar({ row: { span, from, to }, scale }: { row: SpanRow; scale: TimeScale }) {
  const left = scale.place(from);
  const width = scale.place(to) - left;
  const isInSight = to >= scale.from && from <= scale.to;
  return (
    <span aria-hidden data-drawn className={classNames("relative block h-3.5", TRACK_CELL)}>
      {isInSight && (
        <span
          className={classNames(
            "absolute min-w-[3px]",
            SEGMENT_LOOKS[span.status === "error" ? "failed" : "completed"].className,
          )}
          style={{ left: `min(${left * 100}%, calc(100% - 3px))`, width: `${width * 100}%` }}
        />
      )}
    </span>
  );
}

/** What the span says. */
function SpanDetail({ span, children }: { span: Span; children: ReactNode }) {
  const { statusMessage, attributes, events, leftOut, kind, spanId } = span;
  return (
    <div className="grid gap-2 bg-sunken px-4 py-3 text-small md:px-6">
      {statusMessage !== null && <p className="break-words text-red">{statusMessage}</p>}
      <p className="text-ink-3">
        {children}
        Span <span className="font-mono">{spanId}</span>
        {kind !== "unspecified" && <> · {kind}</>}
        {leftOut > 0 && <> · {plural(leftOut, "attribute or event", "attributes or events")} not kept</>}
      </p>
      {Object.keys(attributes).length > 0 && <JsonView value={attributes} what="the attributes of the span" />}
      {events.length > 0 && <JsonView value={events} what="the events of the span" />}
    </div>
  );
}
