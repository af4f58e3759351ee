import { EVENT_WORDS } from "@/components/domain/problems/problem-words";
import { Instant } from "@/components/parts/time/instant";
import { Card } from "@/components/ui/layout/card";
import type { ProblemDetail } from "@/lib/api/contract/problems";

/** Actions and notes on the problem, and its reopenings; latest first. */
export function ProblemHistory({ problem: { history, firstAt } }: { problem: ProblemDetail }) {
  return (
    <Card title="History">
      <ol className="px-4 pb-3">
        {history.map(({ id, at, what, by, text }) => (
          <li key={id} className="border-line border-t py-2 first:border-t-0">
            <p className="flex flex-wrap justify-between gap-x-3">
              <span className="font-medium">
                {by !== null && `${by} `}
                {EVENT_WORDS[what]}
              </span>
              <Instant at={at} as="relative" className="text-ink-3 text-small" />
            </p>
            <p className="whitespace-pre-wrap break-words text-ink-2">{text}</p>
          </li>
        ))}
        <li className="border-line border-t py-2 text-ink-3 first:border-t-0">
          First seen <Instant at={firstAt} />
        </li>
      </ol>
    </Card>
  );
}
