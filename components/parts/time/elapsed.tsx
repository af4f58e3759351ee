"use client";

import { formatDuration } from "@/lib/format";
import { useFromNow } from "./use-now";

/** How long from `from` to `to`; without `to`, until now, and counting. */
export function Elapsed({ from, to }: { from: string; to?: string | null }) {
  const text = useFromNow((now) => {
    const end = to ? Date.parse(to) : now;
    return end === null ? null : formatDuration(end - Date.parse(from));
  });
  return text === null ? <span>–</span> : <span className="whitespace-nowrap">{text}</span>;
}

/** How long still until `until`. */
export function Remaining({ until }: { until: string }) {
  const text = useFromNow((now) => {
    if (now === null) return null;
    const ms = Date.parse(until) - now;
    return ms > 0 ? formatDuration(Math.ceil(ms / 1_000) * 1_000) : "due now";
  });
  return text === null ? <span>–</span> : <span className="whitespace-nowrap">{text}</span>;
}
