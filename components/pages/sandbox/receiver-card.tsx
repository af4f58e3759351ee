"use client";

import { Webhook as WebhookIcon } from "lucide-react";
import { useReceiver } from "@/components/domain/sandbox/use-sandbox";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import { CountBadge } from "@/components/ui/text/count-badge";
import { plural } from "@/lib/format";
import { ReceiveHere } from "./receive-here";
import { deliveredOf, type Received } from "./received";

const SHOWN = 30;

/** The webhooks that a service would receive when something needs attention. */
export function ReceiverCard() {
  const { data, error, refetch } = useReceiver();
  const received = deliveredOf(data?.messages ?? []);
  return (
    <Card
      title="Webhook receiver"
      note={data ? plural(received.length, "message") : undefined}
      action={data && <ReceiveHere address={data.address} />}
    >
      {!data && error && <QueryFailure what="the receiver" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="mx-4 mb-4 h-24" />}
      {data && received.length === 0 && (
        <EmptyState icon={<WebhookIcon aria-hidden />} title="No deliveries yet" className="py-10">
          Notifications arrive here, signed, as they would at your own service.
        </EmptyState>
      )}
      <ul className="px-4 pb-2">
        {received.slice(0, SHOWN).map((message) => (
          <MessageRow key={message.id} message={message} />
        ))}
      </ul>
    </Card>
  );
}

const SIGNATURES = {
  right: { shape: "check", word: "Signature valid", tone: "green" },
  wrong: { shape: "octagon", word: "Refused: invalid signature", tone: "red" },
} as const;

function MessageRow({
  message: { id, headline, signature, times, body, receivedAt, signedAt },
}: {
  message: Received;
}) {
  return (
    <li className="border-line border-t first:border-t-0">
      <details>
        <summary className="flex min-h-11 list-none items-center gap-3 rounded py-1.5 md:min-h-8 [&::-webkit-details-marker]:hidden">
          <StatusLabel look={SIGNATURES[signature]} shapeOnly />
          <span className="min-w-0 flex-1 truncate">{headline}</span>
          {times > 1 && <CountBadge text={`arrived ${times} times`} />}
          <Instant at={receivedAt} className="shrink-0 text-ink-3" />
        </summary>
        <div className="mb-2 grid gap-1.5">
          <p className="flex flex-wrap items-center gap-x-3 text-small">
            <StatusLabel look={SIGNATURES[signature]} />
            <span className="text-ink-3">
              signed <Instant at={signedAt} /> · <span className="break-all font-mono">{id}</span>
            </span>
          </p>
          <JsonView value={body} what="the message" />
        </div>
      </details>
    </li>
  );
}
