"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { JsonView } from "@/components/parts/values/json-view";
import { Button } from "@/components/ui/button";
import { runValueQuery, type WhichValue } from "@/lib/api/hooks/beside-hooks";
import { formatBytes } from "@/lib/format";

interface LargeValueProps {
  /** Bytes. */
  size: number;
  what: string;
  runId: string;
  of: WhichValue;
}

/** In the blob store: its size, and a button that loads it. */
export function LargeValue({ size, what, runId, of }: LargeValueProps) {
  const [asked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({ ...runValueQuery(runId, of), enabled: asked });
  if (data) return <JsonView value={data.value as Parameters<typeof JsonView>[0]["value"]} what={what} />;
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
