"use client";

import { BellRing, MessageSquare } from "lucide-react";
import type { OnCall } from "@/components/domain/sandbox/sandbox-answers";
import { useOnCall } from "@/components/domain/sandbox/use-sandbox";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { StatusLabel } from "@/components/parts/status/status-label";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import { plural } from "@/lib/format";

/** What a team would have in PagerDuty and in Slack, side by side. */
export function OnCallCards() {
  const { data, error, refetch } = useOnCall();
  if (!data) return error && <QueryFailure what="the services on call" error={error} onRetry={() => void refetch()} />;
  return (
    <div className="grid items-start gap-3.5 md:grid-cols-2">
      <Card title="PagerDuty" note={plural(data.alerts.length, "alert")}>
        {data.alerts.length === 0 && (
          <EmptyState icon={<BellRing aria-hidden />} title="No alerts yet" className="py-10">
            An alert opens with a problem, and ends when it is over.
          </EmptyState>
        )}
        <ul className="px-4 pb-2">
          {data.alerts.toReversed().map((alert, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a key comes back when its alert opens again
            <AlertRow key={`${alert.key} ${place}`} alert={alert} />
          ))}
        </ul>
      </Card>
      <Card title="Slack" note={plural(data.posts.length, "message")}>
        {data.posts.length === 0 && (
          <EmptyState icon={<MessageSquare aria-hidden />} title="No messages yet" className="py-10">
            One message about each problem, with a thread under it.
          </EmptyState>
        )}
        <ul className="px-4 pb-2">
          {threadsOf(data.posts).map(([first, ...replies]) => (
            <li key={first?.ts} className="border-line border-t py-2 first:border-t-0">
              <p className="break-words">{first?.text}</p>
              <ul className="grid gap-0.5">
                {replies.map(({ ts, text }) => (
                  <li key={ts} className="break-words border-line border-l-2 pl-2 text-ink-2">
                    {text}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

const LOOKS = {
  open: { shape: "octagon", word: "Open", tone: "red" },
  acknowledged: { shape: "clock", word: "Acknowledged", tone: "amber" },
  resolved: { shape: "check", word: "Resolved", tone: "green" },
} as const;

function AlertRow({ alert: { summary, states } }: { alert: OnCall["alerts"][number] }) {
  return (
    <li className="grid gap-0.5 border-line border-t py-2 first:border-t-0">
      <StatusLabel look={LOOKS[states.at(-1) ?? "open"]} />
      <p className="break-words text-ink-2">{summary}</p>
    </li>
  );
}

/** The latest first, each with its answers. */
export function threadsOf(posts: OnCall["posts"]): OnCall["posts"][] {
  const threads = new Map<string, OnCall["posts"]>();
  for (const post of posts) threads.set(post.thread ?? post.ts, [...(threads.get(post.thread ?? post.ts) ?? []), post]);
  return [...threads.values()].reverse();
}
