import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Copyable } from "@/components/ui/text/copyable";
import type { Step } from "@/lib/api/contract/run";

/** What a step waits for, or waited: an event, or the answer to a question. */
export function WaitFacts({ wait }: { wait: NonNullable<Step["wait"]> }) {
  return (
    <div className="grid gap-2">
      {wait.question && <p className="max-w-prose whitespace-pre-wrap break-words">{wait.question}</p>}
      <Facts>
        {wait.event && (
          <Fact name="Event">
            <Copyable text={wait.event} what="the event's name" />
          </Fact>
        )}
        {wait.key && (
          <Fact name="Key">
            <Copyable text={wait.key} what="the key" />
          </Fact>
        )}
        {wait.choices.length > 0 && <Fact name="Choices">{wait.choices.join(" · ")}</Fact>}
        <Fact name="Since">
          <Instant at={wait.since} as="full" />
        </Fact>
      </Facts>
      {wait.data !== null && <JsonView value={wait.data} what="data of the question" />}
    </div>
  );
}
