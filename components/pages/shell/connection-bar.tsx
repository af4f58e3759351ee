"use client";

import { WifiOff } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLive } from "@/components/parts/live/live-provider";
import { useLastUpdate } from "@/components/parts/live/use-last-update";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { formatClock } from "@/lib/format/times";

/** A server that restarts is back sooner. */
const GRACE_MS = 3_000;
const RETURNED_MS = 5_000;

function watch(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}

const useOnline = () =>
  useSyncExternalStore(
    watch,
    () => navigator.onLine,
    () => true,
  );

type Connection = { is: "there" } | { is: "lost"; sinceMs: number; seenMs: number } | { is: "back" };

/** Lost after a while of silence; back for as long as the message takes to read. */
function useConnection(): Connection {
  const online = useOnline();
  const { status } = useLive();
  const lost = !online || status === "offline";
  const seenMs = useLastUpdate();
  const seen = useRef(seenMs);
  if (!lost) seen.current = seenMs;
  const [connection, setConnection] = useState<Connection>({ is: "there" });
  useEffect(() => {
    const sinceMs = Date.now();
    const lose = () => setConnection({ is: "lost", sinceMs, seenMs: seen.current });
    const returned = () => setConnection(({ is }) => (is === "lost" ? { is: "back" } : { is: "there" }));
    const timer = setTimeout(lost ? lose : returned, lost ? GRACE_MS : 0);
    return () => clearTimeout(timer);
  }, [lost]);
  useEffect(() => {
    if (connection.is !== "back") return;
    const timer = setTimeout(() => setConnection({ is: "there" }), RETURNED_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  return connection;
}

/** Shows that the connection is lost, how old the data is, and when it is back. */
export function ConnectionBar() {
  const connection = useConnection();
  const times = useTimes();
  return (
    <div role="status" className="print:hidden">
      {connection.is === "lost" && (
        <p className="flex flex-wrap items-center justify-center gap-x-2 border-line border-b bg-amber-soft px-4 py-1 text-center text-small">
          <WifiOff aria-hidden className="size-3.5 text-amber" />
          <b className="font-medium">Offline since {formatClock(connection.sinceMs, times)}</b>
          {connection.seenMs > 0 && <span>What you see is of {formatClock(connection.seenMs, times)}.</span>}
          <span>Actions cannot be sent until the connection is back.</span>
        </p>
      )}
      {connection.is === "back" && (
        <p className="border-line border-b bg-green-soft px-4 py-1 text-center text-small">Reconnected, refreshed.</p>
      )}
    </div>
  );
}
