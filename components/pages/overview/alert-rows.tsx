import Link from "next/link";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import type { OpenAlert } from "@/lib/api/contract/alerts";
import { readingWords } from "@/lib/engine/alerts/alert-words";

/** Alert rules that fire; somebody who looks after one is named. */
export function AlertRows({ alerts }: { alerts: readonly OpenAlert[] }) {
  return alerts.map((alert) => (
    <li
      key={alert.id}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-2.5 first:border-t-0"
    >
      <StatusLabel
        look={{ shape: "octagon", word: "Alert", tone: alert.acknowledgedBy === null ? "red" : "amber" }}
        shapeOnly
      />
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">Alert {alert.name}</p>
        <p className="break-words text-ink-3 text-small">
          {sentence(readingWords(alert))}. Fires since <Instant at={alert.openedAt} />
          {alert.acknowledgedBy !== null && `, acknowledged by ${alert.acknowledgedBy}`}.
        </p>
      </div>
      <Button asChild className="max-md:flex-1">
        <Link href={`/alerts?rule=${alert.id}`} aria-label={`View alert ${alert.name}`}>
          View alert
        </Link>
      </Button>
    </li>
  ));
}

const sentence = (words: string) => words.slice(0, 1).toUpperCase() + words.slice(1);
