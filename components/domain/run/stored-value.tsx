"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { JsonView } from "@/components/parts/values/json-view";
import { Button } from "@/components/ui/button";
import { runValueQuery, type WhichValue } from "@/lib/api/hooks/beside-hooks";
import { formatBytes } from "@/lib/format";

type Value = Parameters<typeof JsonView>[0]["value"];

interface StoredValueProps {
  value: Value;
  what: string;
  runId: string;
  of: WhichValue;
  className?: string;
}

/** A value of a run. One in the blob store says how large it is, and is loaded on request. */
export function StoredValue({ value, what, runId, of, className }: StoredValueProps) {
  const size = sizeElsewhere(value);
  if (size === null) return <JsonView value={value} what={what} {...(className && { className })} />;
  return <LargeValue key={`${runId} ${what}`} size={size} what={what} runId={runId} of={of} />;
}

function LargeValue({ size, what, runId, of }: Omit<StoredValueProps, "value"> & { size: number }) {
  const [asked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({ ...runValueQuery(runId, of), enabled: asked });
  if (data) return <JsonView value={data.value as Value} what={what} />;
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2 text-ink-2 text-small">
        {formatBytes(size)}, in the blob store
        <Button size="small" disabled={isFetching} onClick={() => setAsked(true)} aria-label={`Load ${what}`}>
          {isFetching ? "Loading…" : "Load"}
        </Button>
      </p>
      {error && <QueryFailure what={what} error={error} onRetry={() => void refetch()} />}
    </div>
  );
}

function sizeElsewhere(value: Value): number | null {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value.$type !== "blob") return null;
  return typeof value.size === "number" ? value.size : 0;
}
