"use client";

import { formatDuration } from "@/lib/format";
import { useNow } from "./use-now";

/** How long from `from` to `to`; without `to`, until now, and counting. */
export function Elapsed({ from, to }: { from: string; to?: string | null }) {
  const now = useNow();
  const end = to ? Date.parse(to) : now;
  if (end === null) return <span>–</span>;
  return <span className="whitespace-nowrap">{formatDuration(end - Date.parse(from))}</span>;
}

/** How long still until `until`. */
export function Remaining({ until }: { until: string }) {
  const now = useNow();
  if (now === null) return <span>–</span>;
  const ms = Date.parse(until) - now;
  return (
    <span className="whitespace-nowrap">{ms > 0 ? formatDuration(Math.ceil(ms / 1_000) * 1_000) : "due now"}</span>
  );
}
