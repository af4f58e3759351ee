"use client";

import { useState } from "react";
import { ATTEMPT_LOOKS } from "@/components/domain/run/step-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Elapsed } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import type { Attempt, Step } from "@/lib/api/contract/run";

const SHOWN = 5;

interface NumberedAttempt extends Attempt {
  key: string;
}

/** Every attempt of the step in every generation, latest first. */
export function AttemptList({ steps, begunWith }: { steps: Step[]; begunWith: number }) {
  const [all, setAll] = useState(false);
  const attempts = attemptsOf(steps);
  const shown = all ? attempts : attempts.slice(0, SHOWN);
  const generations = new Set(attempts.map(({ generation }) => generation)).size;
  if (attempts.length === 0)
    return <p className="text-ink-3">No attempt: the outcome was set manually, or the step never ran.</p>;
  return (
    <>
      <ol>
        {shown.map((attempt) => (
          <li key={attempt.key} className="border-line border-t py-1.5 first:border-t-0">
            <p className="flex items-center gap-2">
              <StatusLabel look={ATTEMPT_LOOKS[attempt.status]} />
              <span className="text-ink-2">
                {attempt.number}
                {generations > 1 && ` · generation ${attempt.generation}`}
                {attempt.version !== begunWith && ` · v${attempt.version}`}
              </span>
              <span className="ml-auto shrink-0 text-ink-3">
                <Instant at={attempt.startedAt} as="clock" />
                {" · "}
                {attempt.finishedAt || attempt.status === "running" ? (
                  <Elapsed from={attempt.startedAt} to={attempt.finishedAt} />
                ) : (
                  "no end recorded"
                )}
              </span>
            </p>
            <p className="break-words pl-5 text-ink-3 text-small">
              {attempt.error && `${attempt.error.code ?? attempt.error.name} · `}
              {attempt.workerId ? `worker ${attempt.workerId}` : "no worker"}
            </p>
          </li>
        ))}
      </ol>
      {attempts.length > shown.length && (
        <Button variant="ghost" size="small" className="-ml-2" onClick={() => setAll(true)}>
          {attempts.length - shown.length} earlier
        </Button>
      )}
    </>
  );
}

/** `steps`: the records of one step, one per generation in which it ran. */
function attemptsOf(steps: Step[]): NumberedAttempt[] {
  return steps
    .flatMap(({ attempts }) => attempts)
    .map((attempt) => ({ ...attempt, key: `${attempt.generation} ${attempt.number}` }))
    .sort((a, b) => b.generation - a.generation || b.number - a.number);
}
