"use client";

import { useEffect, useState } from "react";
import { isCutOff } from "@/components/parts/live/health";
import { troubleOf } from "@/components/parts/live/health-words";
import { useHealth } from "@/components/parts/live/use-health";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { later } from "@/components/ui/later";
import { formatClock } from "@/lib/format/times";

// Most pages never need it.
const Trouble = later(() => import("./trouble").then((part) => part.Trouble));

const RETURNED_MS = 5_000;

/** True after nothing could be sent, for as long as the message takes to read. */
function useReturned(cutOff: boolean): boolean {
  const [{ before, returned }, setState] = useState({ before: false, returned: false });
  if (before !== cutOff) setState({ before: cutOff, returned: before });
  useEffect(() => {
    if (!returned) return;
    const timer = setTimeout(() => setState({ before: false, returned: false }), RETURNED_MS);
    return () => clearTimeout(timer);
  }, [returned]);
  return returned && !cutOff;
}

/** The one place that says on every page what is wrong with the data, how old it is, and when it is fresh again. */
export function ConnectionBar() {
  const health = useHealth();
  const returned = useReturned(isCutOff(health));
  const times = useTimes();
  const trouble = troubleOf(health, (atMs) => formatClock(atMs, times));
  return (
    <div role="status" className="print:hidden">
      {trouble !== null && <Trouble health={health} trouble={trouble} />}
      {trouble === null && returned && (
        <p className="border-line border-b bg-green-soft px-4 py-1 text-center text-small">Reconnected, refreshed.</p>
      )}
    </div>
  );
}
