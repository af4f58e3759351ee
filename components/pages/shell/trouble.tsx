import { CircleSlash, Clock, DatabaseZap, ServerOff, WifiOff } from "lucide-react";
import Link from "next/link";
import { type Health, isCutOff } from "@/components/parts/live/health";
import { useLastUpdate } from "@/components/parts/live/use-last-update";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { classNames } from "@/lib/class-names";
import { formatClock } from "@/lib/format/times";

const ICONS = {
  offline: WifiOff,
  console: ServerOff,
  database: DatabaseZap,
  stale: Clock,
  slow: Clock,
  workerless: CircleSlash,
} as const;

/** What is wrong with the data, and how old it is. */
export function Trouble({ health, trouble }: { health: Health; trouble: string }) {
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
