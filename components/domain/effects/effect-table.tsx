import Link from "next/link";
import { stepHref } from "@/components/domain/run/step-href";
import { COMPENSATION_LOOKS } from "@/components/domain/run/step-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { StepKey } from "@/components/parts/values/step-key";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { Copyable } from "@/components/ui/text/copyable";
import type { EffectRecord } from "@/lib/api/contract/effects";
import { classNames } from "@/lib/class-names";
import { VERDICT_SENTENCES } from "@/lib/engine/steps/effect-verdict";
import { shortenMiddle } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";
import { EffectHistory } from "./effect-history";
import { effectWords, KEY_WORDS, OUTCOME_WORDS, VERDICT_LOOKS } from "./effect-looks";

interface EffectTableProps {
  effects: EffectRecord[];
  /** Of many runs: each row names its own. */
  withRun?: boolean;
}

/** A row per effect. On a phone the key and the times are below the step's name. */
export function EffectTable({ effects, withRun = false }: EffectTableProps) {
  return (
    <table aria-label="Effects" className="w-full table-fixed border-collapse">
      <thead>
        <tr className="h-[30px] text-left text-ink-3 text-small shadow-[inset_0_-1px_0_var(--line)]">
          <th scope="col" className="w-[38%] px-2 font-normal md:w-[132px]">
            Status
          </th>
          <th scope="col" className="px-2 font-normal">
            Step
          </th>
          <th scope="col" className="w-[20%] px-2 font-normal max-md:hidden">
            Reference
          </th>
          <th scope="col" className="w-[26%] px-2 font-normal max-md:hidden">
            Idempotency key
          </th>
          <th scope="col" className="w-[116px] px-2 font-normal max-lg:hidden print:table-cell">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {effects.map((effect, index) => (
          <EffectRow
            key={`${effect.runId} ${effect.step}`}
            effect={effect}
            withRun={withRun}
            isFirst={index > 0 && effects[index - 1]?.runId !== effect.runId}
          />
        ))}
      </tbody>
    </table>
  );
}

interface EffectRowProps {
  effect: EffectRecord;
  withRun: boolean;
  /** The first row of its run, unless it is the first run: on paper a page begins here. */
  isFirst: boolean;
}

function EffectRow({ effect, withRun, isFirst }: EffectRowProps) {
  const undo = effect.compensation !== "none" && COMPENSATION_LOOKS[effect.compensation];
  return (
    <tr
      className={classNames("break-inside-avoid border-line border-b align-top", isFirst && "print:break-before-page")}
    >
      <td className="px-2 py-2" title={VERDICT_SENTENCES[effect.verdict]}>
        <StatusLabel look={VERDICT_LOOKS[effect.verdict]} wraps />
        {undo && (
          <p className="mt-0.5 text-small">
            <StatusLabel look={undo} />
          </p>
        )}
      </td>
      <td className="min-w-0 px-2 py-2">
        <Link
          href={stepHref(effect.runId, effect.step)}
          className="inline-flex min-h-6 max-w-full items-center break-words rounded font-mono text-[13px] hover:underline"
        >
          {effect.step}
        </Link>
        {withRun && (
          <p className="text-small">
            <span className="break-words text-ink-3">{effect.workflow}</span>{" "}
            <Link
              href={`/runs/${effect.runId}?tab=effects`}
              className="inline-flex min-h-6 items-center rounded font-mono text-accent hover:underline"
            >
              {shortenMiddle(nameOfRun(effect.runId, effect), 16, 6)}
            </Link>
          </p>
        )}
        <p className="text-ink-3 text-small">
          {effectWords(effect)} · {OUTCOME_WORDS[effect.outcome]}
        </p>
        <div className="mt-1 grid justify-items-start gap-1.5 text-small md:hidden">
          <Reference effect={effect} />
          <Key effect={effect} />
        </div>
        <History effect={effect} />
      </td>
      <td className="min-w-0 px-2 py-2 max-md:hidden">
        <Reference effect={effect} />
      </td>
      <td className="min-w-0 px-2 py-2 max-md:hidden">
        <Key effect={effect} />
      </td>
      <td className="px-2 py-2 text-small max-lg:hidden print:table-cell">
        <Instant at={effect.finishedAt ?? effect.startedAt} />
      </td>
    </tr>
  );
}

const Reference = ({ effect: { step, reference } }: { effect: EffectRecord }) =>
  reference === null ? (
    <span className="text-ink-3 text-small">no reference</span>
  ) : (
    <Copyable text={reference} what={`the reference of ${step}`} />
  );

/** A transaction sends its key to no provider: the database itself keeps it from happening twice. */
function Key({ effect: { step, kind, idempotencyKey, keyUse } }: { effect: EffectRecord }) {
  if (kind === "transaction") return <span className="text-ink-3 text-small">none needed</span>;
  return (
    <>
      <StepKey text={idempotencyKey} step={step} />
      <p className="text-ink-3 text-small">{KEY_WORDS[keyUse]}</p>
    </>
  );
}

function History({ effect }: { effect: EffectRecord }) {
  const { attemptCount, generations } = effect;
  const lanes = generations.length > 1 ? `, ${generations.length} generations` : "";
  return (
    <Disclosure summary={`${attemptCount} ${attemptCount === 1 ? "attempt" : "attempts"}${lanes}`}>
      <EffectHistory effect={effect} />
    </Disclosure>
  );
}
