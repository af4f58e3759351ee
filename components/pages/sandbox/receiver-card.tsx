"use client";

import { Webhook as WebhookIcon } from "lucide-react";
import type { Webhook } from "@/components/domain/sandbox/sandbox-answers";
import { useReceiver } from "@/components/domain/sandbox/use-sandbox";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import type { Json } from "@/components/parts/values/value-node";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import { CountBadge } from "@/components/ui/text/count-badge";
import { plural } from "@/lib/format";
import { ReceiveHere } from "./receive-here";

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

/** A message as it is shown: its attempts are one. */
interface Received extends Pick<Webhook, "id" | "signature"> {
  headline: string;
  body: Json;
  signedAt: string;
  /** Of the latest attempt. */
  receivedAt: string;
  times: number;
}

/** The latest first. One that was taken in the end was not refused. */
export function deliveredOf(messages: readonly Webhook[]): Received[] {
  const byId = new Map<string, Received>();
  for (const { id, signature, body, timestamp, receivedAt } of messages) {
    const before = byId.get(id);
    byId.delete(id);
    byId.set(id, {
      ...{ id, receivedAt, signedAt: new Date(timestamp * 1_000).toISOString(), times: (before?.times ?? 0) + 1 },
      signature: before?.signature === "right" ? "right" : signature,
      ...readable(body),
    });
  }
  return [...byId.values()].reverse();
}

/** The message in readable form; if it cannot be parsed, the text itself. */
function readable(text: string): Pick<Received, "headline" | "body"> {
  try {
    const body = JSON.parse(text) as { type?: string; data?: { sentence?: string; count?: number } };
    const { type = "a message", data } = body;
    const said = data?.sentence ?? (data?.count === undefined ? undefined : `${data.count} events`);
    return { headline: said === undefined ? type : `${type}: ${said}`, body: body as Json };
  } catch {
    return { headline: text.slice(0, 200), body: text };
  }
}
