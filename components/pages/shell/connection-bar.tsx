"use client";

import { CircleSlash, Clock, DatabaseZap, ServerOff, WifiOff } from "lucide-react";
import Link from "next/link";
import { useEffect, useState } from "react";
import { type Health, isCutOff } from "@/components/parts/live/health";
import { troubleOf } from "@/components/parts/live/health-words";
import { useHealth } from "@/components/parts/live/use-health";
import { useLastUpdate } from "@/components/parts/live/use-last-update";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { classNames } from "@/lib/class-names";
import { formatClock } from "@/lib/format/times";

const RETURNED_MS = 5_000;

const ICONS = {
  offline: WifiOff,
  console: ServerOff,
  database: DatabaseZap,
  stale: Clock,
  slow: Clock,
  workerless: CircleSlash,
} as const;

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

function Trouble({ health, trouble }: { health: Health; trouble: string }) {
  const Icon = ICONS[health.is as keyof typeof ICONS];
  const cutOff = isCutOff(health);
  return (
    <p
      className={classNames(
        "flex flex-wrap items-center justify-center gap-x-2 border-line border-b px-4 py-1 text-center text-small",
        cutOff ? "bg-red-soft" : "bg-amber-soft",
      )}
    >
      <Icon aria-hidden className={classNames("size-3.5", cutOff ? "text-red" : "text-amber")} />
      <b className="font-medium">{trouble}.</b>
      {health.is === "workerless" ? (
        <span>
          Runs wait for one, or on serverless for the next drive. Nothing is lost.{" "}
          <Link href="/workers" className="text-accent underline">
            Workers
          </Link>
        </span>
      ) : (
        <DataAge />
      )}
      {cutOff && <span>Actions cannot be sent until then; this page goes on by itself.</span>}
    </p>
  );
}

function DataAge() {
  const seenMs = useLastUpdate();
  const times = useTimes();
  return seenMs > 0 && <span>What you see is of {formatClock(seenMs, times)}.</span>;
}
