"use client";

import { Send } from "lucide-react";
import Link from "next/link";
import { lookOf } from "@/components/domain/notifications/notice-words";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { ActError } from "@/components/parts/submit/act-error";
import { useAct } from "@/components/parts/submit/use-act";
import { Instant } from "@/components/parts/time/instant";
import { tell } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import type { Delivery, Destination } from "@/lib/api/contract/destinations";
import { useDeliveries, useRedeliver } from "@/lib/api/hooks/destination-hooks";
import { formatDuration, plural } from "@/lib/format";

/** What was sent to a destination, latest first. */
export function DeliveryList({ destination }: { destination: Destination }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useDeliveries(destination.id);
  const deliveries = data?.pages.flatMap((page) => page.deliveries);
  return (
    <section aria-label="Messages" className="border-line border-t">
      <h3 className="px-4 pt-3 pb-1 font-semibold">Messages of the last 30 days</h3>
      {!deliveries && error && <QueryFailure what="the messages" error={error} onRetry={() => void refetch()} />}
      {!deliveries && !error && (
        <Loading what="the messages" className="p-4">
          <Skeleton className="h-16 w-full" />
        </Loading>
      )}
      {deliveries?.length === 0 && (
        <EmptyState icon={<Send aria-hidden />} title="No messages yet" className="py-8">
          Send a test to check that it arrives.
        </EmptyState>
      )}
      <ul>
        {deliveries?.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} destination={destination} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          variant="ghost"
          className="mx-2 my-2"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </section>
  );
}

function DeliveryItem({ delivery, destination }: { delivery: Delivery; destination: Destination }) {
  const { id, status, events, eventCount, createdAt, runId } = delivery;
  const again = useAct(useRedeliver(), () => tell("Redelivery queued"));
  const hasEnded = status === "delivered" || status === "failed";
  const state = events[0]?.state ?? null;
  const headline =
    (state === null ? "" : state === "resolved" ? "Resolved: " : "Acknowledged: ") +
    (events[0]?.sentence ?? "") +
    (eventCount > 1 ? ` – and ${eventCount - 1} more` : "");
  return (
    <li className="grid gap-1 border-line border-t px-4 py-2.5">
      <p className="flex items-center justify-between gap-3">
        <StatusLabel look={lookOf(delivery)} className="shrink-0" />
        <Instant at={createdAt} className="shrink-0 text-ink-3" />
      </p>
      <p className="break-words">{headline}</p>
      <Fate delivery={delivery} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {hasEnded && (
          <Button
            size="small"
            disabled={again.pending || !destination.enabled}
            title={destination.enabled ? undefined : "The destination is switched off."}
            aria-label={`Resend: ${headline}`}
            onClick={() =>
              again.submit({ id: destination.id, deliveryId: id, request: { reason: "Resent manually." } })
            }
          >
            Resend
          </Button>
        )}
        {runId !== null && (
          <Link href={`/runs/${runId}`} className="rounded text-accent text-small hover:underline">
            View run
          </Link>
        )}
      </div>
      {again.error && <ActError error={again.error} />}
    </li>
  );
}

/** Its attempts, the last answer, and the next attempt. */
function Fate({ delivery }: { delivery: Delivery }) {
  const { attempts, lastAttempt, nextAttemptAt, error, status } = delivery;
  if (status === "gathering")
    return <p className="text-ink-3 text-small">Held for up to a minute, to combine messages.</p>;
  return (
    <p className="break-words text-ink-3 text-small">
      {attempts === 0 ? "Not sent yet" : plural(attempts, "attempt")}
      {lastAttempt && `; ${lastWords(lastAttempt)}`}
      {error !== null && error !== lastAttempt?.error && `; ${error}`}
      {nextAttemptAt !== null && (
        <>
          {" "}
          Next attempt <Instant at={nextAttemptAt} />.
        </>
      )}
    </p>
  );
}

function lastWords({ code, ms, error }: NonNullable<Delivery["lastAttempt"]>): string {
  if (ms === null) return "the last attempt is not finished, or was cut off and may have arrived";
  return error ?? `answered ${code ?? "nothing"} in ${formatDuration(ms)}`;
}
