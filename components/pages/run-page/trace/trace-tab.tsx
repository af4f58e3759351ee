"use client";

import { ExternalLink, Waypoints } from "lucide-react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import type { Run } from "@/lib/api/contract/run";
import type { RunSpansResponse } from "@/lib/api/contract/spans";
import { useSpans } from "@/lib/api/hooks/span-hooks";
import { plural } from "@/lib/format";
import { SpanList } from "./span-list";

/** The spans that were received of the run, on the timeline's axis. */
export function TraceTab({ run }: { run: Run }) {
  const { data, error, refetch } = useSpans(run.id);
  if (!data && error) return <QueryFailure what="the spans" error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Loading what="the spans" className="grid gap-3 px-4 py-4 md:px-6">
        <Skeleton className="h-4 w-64" />
        <Skeleton className="h-24" />
      </Loading>
    );
  if (data.spans.length === 0) return <NoSpans trace={data} />;
  const errors = data.spans.filter(({ status }) => status === "error").length;
  const services = new Set(data.spans.map(({ service }) => service)).size;
  return (
    <div className="pb-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 md:px-6">
        <p className="text-ink-2">
          {plural(data.spans.length, "span")} of {plural(services, "service")}
          {errors > 0 && <span className="text-red"> · {plural(errors, "error")}</span>}
        </p>
        <TraceId trace={data} />
        <TraceLink trace={data} />
      </div>
      <Notes trace={data} />
      <SpanList run={run} spans={data.spans} />
    </div>
  );
}

function TraceId({ trace: { traceId } }: { trace: RunSpansResponse }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1 text-ink-3 text-small">
      Trace <span className="truncate font-mono">{traceId}</span>
      <CopyButton text={traceId} what="the trace's id" />
    </span>
  );
}

function TraceLink({ trace: { traceUrl } }: { trace: RunSpansResponse }) {
  if (traceUrl === null) return null;
  return (
    <Button asChild size="small">
      <a href={traceUrl} target="_blank" rel="noreferrer">
        Open trace at {new URL(traceUrl).host}
        <ExternalLink aria-hidden className="size-3.5 text-ink-3" />
      </a>
    </Button>
  );
}

const WITHHELD = {
  masked: "The workflow masks fields, so spans show only attributes that say nothing of the data.",
  permission: "You may not look at masked values, so spans show only attributes that say nothing of the data.",
};

function Notes({ trace: { withheld, full } }: { trace: RunSpansResponse }) {
  return (
    <>
      {full && (
        <Callout tone="amber" className="mx-4 mb-3 md:mx-6">
          The first 2,000 spans of this run are kept; later spans were refused.
        </Callout>
      )}
      {withheld && <p className="px-4 pb-2 text-ink-3 text-small md:px-6">{WITHHELD[withheld]}</p>}
    </>
  );
}

function NoSpans({ trace }: { trace: RunSpansResponse }) {
  return (
    <EmptyState icon={<Waypoints aria-hidden />} title="No spans received" action={<TraceLink trace={trace} />}>
      Let OTEL_EXPORTER_OTLP_TRACES_ENDPOINT of your app and its workers be{" "}
      <code className="break-all font-mono text-small">{location.origin}/api/v1/otlp/v1/traces</code>, with a token that
      may send spans.
    </EmptyState>
  );
}
