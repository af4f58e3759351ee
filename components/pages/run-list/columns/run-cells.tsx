import Link from "next/link";
import { ProgressBar } from "@/components/domain/run/progress-bar";
import { nowAt, tookOf } from "@/components/domain/run/run-words";
import { StepBar } from "@/components/domain/run/step-bar";
import { Elapsed, Remaining } from "@/components/parts/time/elapsed";
import { MiddleText } from "@/components/ui/text/middle-text";
import type { RunListItem } from "@/lib/api/contract/run";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { shortenMiddle } from "@/lib/format";
import type { RowLink } from "./run-column";

/** The link fills the whole row; other controls in the row are above it. */
export function RunKey({ run, link }: { run: RunListItem; link: RowLink }) {
  const key = titleOfRun(run);
  return (
    <Link
      href={link.href}
      prefetch={false}
      onClick={link.onClick}
      data-ring="inside"
      className="block truncate font-mono text-small outline-none after:absolute after:inset-0 focus-visible:after:rounded-sm focus-visible:after:outline-2 focus-visible:after:outline-accent focus-visible:after:-outline-offset-2"
    >
      {key ? (
        <MiddleText text={key} className="align-bottom" />
      ) : (
        <span className="text-ink-3">{shortenMiddle(run.id)}</span>
      )}
    </Link>
  );
}

/** A run with progress is not represented by the first of its many steps. */
export function StepsOrProgress({ run, most = run.stepBar.length }: { run: RunListItem; most?: number }) {
  if (run.progress) return <ProgressBar progress={run.progress} className="w-[118px]" />;
  const wait = run.waitingFor;
  return (
    <StepBar
      steps={run.stepBar.slice(0, most)}
      count={run.stepCount}
      retrying={wait?.kind === "retry" ? wait.step : null}
    />
  );
}

export function NowAtText({ run }: { run: RunListItem }) {
  const { step, note, until } = nowAt(run);
  return (
    <>
      {step && <span className="font-mono text-small">{step} </span>}
      <span className="text-ink-3">
        {note}
        {until && (
          <>
            {note && ", "}
            <Remaining until={until} /> left
          </>
        )}
      </span>
    </>
  );
}

export function Took({ run }: { run: RunListItem }) {
  const took = tookOf(run);
  return took ? <Elapsed from={took.from} to={took.to} /> : <span className="text-ink-3">–</span>;
}

export function Tags({ tags }: { tags: Record<string, string> }) {
  const all = Object.entries(tags);
  if (all.length === 0) return <span className="text-ink-3">–</span>;
  return (
    <span title={all.map(([name, value]) => `${name}: ${value}`).join("\n")} className="text-small">
      {all.map(([name, value], index) => (
        <span key={name}>
          {index > 0 && <span className="text-ink-3"> · </span>}
          <span className="text-ink-3">{name}</span> <span className="font-mono">{value}</span>
        </span>
      ))}
    </span>
  );
}
