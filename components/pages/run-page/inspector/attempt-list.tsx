"use client";

import { useQueryState } from "nuqs";
import { useEffect, useRef, useState } from "react";
import { ATTEMPT_LOOKS } from "@/components/domain/run/step-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Elapsed } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import type { Attempt, Step } from "@/lib/api/contract/run";
import { runPageUrl } from "../address/run-url";

const SHOWN = 5;

interface NumberedAttempt extends Attempt {
  key: string;
}

interface AttemptListProps {
  steps: Step[];
  /** Of the record that the inspector shows: the address names an attempt of it. */
  generation: number;
  begunWith: number;
}

/** Every attempt of the step in every generation, latest first. The one that the address names is marked and in sight. */
export function AttemptList({ steps, generation, begunWith }: AttemptListProps) {
  const [all, setAll] = useState(false);
  const [named] = useQueryState("attempt", runPageUrl.attempt);
  const attempts = attemptsOf(steps);
  const wanted = attempts.findIndex((attempt) => attempt.number === named && attempt.generation === generation);
  const wantedKey = attempts[wanted]?.key;
  const row = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another row
  useEffect(() => row.current?.scrollIntoView({ block: "nearest" }), [wantedKey]);
  const shown = all || wanted >= SHOWN ? attempts : attempts.slice(0, SHOWN);
  const generations = new Set(attempts.map(({ generation }) => generation)).size;
  if (attempts.length === 0)
    return <p className="text-ink-3">No attempt: the outcome was set manually, or the step never ran.</p>;
  return (
    <>
      <ol>
        {shown.map((attempt) => (
          <li
            key={attempt.key}
            ref={attempt.key === wantedKey ? row : undefined}
            aria-current={attempt.key === wantedKey || undefined}
            className="-mx-2 rounded border-line border-t px-2 py-1.5 first:border-t-0 aria-[current]:bg-accent-soft aria-[current]:outline-1 aria-[current]:outline-accent"
          >
            <p className="flex items-center gap-2">
              <StatusLabel look={ATTEMPT_LOOKS[attempt.status]} />
              <span className="text-ink-2">
                <span className="sr-only">attempt </span>
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
