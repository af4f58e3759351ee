"use client";

import { Mail } from "lucide-react";
import type { Message } from "@/components/domain/sandbox/sandbox-answers";
import { useMailbox } from "@/components/domain/sandbox/use-sandbox";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Instant } from "@/components/parts/time/instant";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import { CountBadge } from "@/components/ui/text/count-badge";
import { plural } from "@/lib/format";

const SHOWN = 30;

export function MailboxCard() {
  const { data, error, refetch } = useMailbox();
  const messages = data?.messages ?? [];
  return (
    <Card title="Mailbox" note={data ? plural(messages.length, "message") : undefined}>
      {!data && error && <QueryFailure what="the mailbox" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="mx-4 mb-4 h-24" />}
      {data && messages.length === 0 && (
        <EmptyState icon={<Mail aria-hidden />} title="No mail has arrived" className="py-10" />
      )}
      <ul className="px-4 pb-2">
        {[...messages]
          .reverse()
          .slice(0, SHOWN)
          .map((message) => (
            <MessageRow key={message.id} message={message} copies={copiesOf(message, messages)} />
          ))}
      </ul>
    </Card>
  );
}

/** Mail has no idempotency: the same message sent twice arrives twice. */
const copiesOf = (message: Message, messages: Message[]) =>
  message.messageId === null ? 1 : messages.filter(({ messageId }) => messageId === message.messageId).length;

function MessageRow({ message, copies }: { message: Message; copies: number }) {
  return (
    <li className="border-line border-t first:border-t-0">
      <details>
        <summary className="flex min-h-11 list-none items-center gap-3 rounded py-1.5 md:min-h-8 [&::-webkit-details-marker]:hidden">
          <span className="min-w-0 flex-1 truncate">{message.subject || "No subject"}</span>
          {copies > 1 && <CountBadge text={`arrived ${copies} times`} />}
          <span className="truncate text-ink-3 max-md:hidden">{message.to}</span>
          <Instant at={message.receivedAt} className="shrink-0 text-ink-3" />
        </summary>
        <div className="mb-2 rounded-lg bg-sunken px-3 py-2 text-ink-2">
          <p className="break-words text-ink-3 text-small">
            From {message.from} to {message.to}
          </p>
          <p className="mt-1 whitespace-pre-wrap break-words">{message.text}</p>
        </div>
      </details>
    </li>
  );
}
