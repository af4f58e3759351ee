import { ATTEMPT_LOOKS } from "@/components/domain/run/step-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { StepKey } from "@/components/parts/values/step-key";
import type { EffectRecord } from "@/lib/api/contract/effects";
import { VERDICT_SENTENCES } from "@/lib/engine/steps/effect-verdict";

/** Every attempt in every repair generation: when, by which worker, under which key. */
export function EffectHistory({ effect }: { effect: EffectRecord }) {
  return (
    <div className="mt-1 border-line border-l pl-3 text-small">
      <p className="mb-1.5 text-ink-2">{VERDICT_SENTENCES[effect.verdict]}</p>
      <ol className="grid gap-2">
        {effect.generations.map((lane) => (
          <li key={lane.generation} className="min-w-0">
            {effect.generations.length > 1 && (
              <p className="text-ink-2">
                Generation {lane.generation} <StepKey text={lane.idempotencyKey} />
              </p>
            )}
            {lane.attemptCount === 0 && <p className="text-ink-3">No attempt: the outcome was set manually.</p>}
            <ul>
              {lane.attempts.map((attempt) => (
                <li key={attempt.number} className="flex flex-wrap items-center gap-x-2">
                  <StatusLabel look={ATTEMPT_LOOKS[attempt.status]} />
                  <Instant at={attempt.startedAt} />
                  <span className="text-ink-3">
                    attempt {attempt.number}
                    {attempt.workerId !== null && `, worker ${attempt.workerId}`}
                  </span>
                  {attempt.error && <span className="w-full break-words text-ink-2">{attempt.error.message}</span>}
                </li>
              ))}
            </ul>
            {lane.attempts.length < lane.attemptCount && (
              <p className="text-ink-3">The latest {lane.attempts.length} are shown.</p>
            )}
            {lane.compensation.idempotencyKey && (
              <p className="text-ink-3">
                Compensation key: <StepKey text={lane.compensation.idempotencyKey} />
              </p>
            )}
          </li>
        ))}
        {effect.mayHaveBegunUnseen && (
          <li className="text-ink-2">
            A worker was lost just before: it may have started this step without a record, with the same key.
          </li>
        )}
      </ol>
    </div>
  );
}
