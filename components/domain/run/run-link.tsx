import Link from "next/link";
import { CopyButton } from "@/components/ui/copy-button";
import { MiddleText } from "@/components/ui/text/middle-text";
import { type RunNames, titleOfRun } from "@/lib/engine/runs/run-name";
import { shortenMiddle } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";

interface RunLinkProps {
  runId: string;
  /** What it may be called by; null for a run that no longer exists. */
  names: RunNames | null;
  href?: string;
  target?: "_blank";
}

/** A run by what people call it, with its id small behind, to be copied. */
export function RunLink({ runId, names, href = `/runs/${runId}`, target }: RunLinkProps) {
  const named = names !== null && titleOfRun(names) !== null;
  return (
    <span className="inline-flex min-w-0 max-w-full items-baseline gap-1.5 align-baseline">
      <Link
        href={href}
        target={target}
        title={runId}
        className={`inline-flex min-h-6 min-w-0 items-baseline text-accent hover:underline ${named ? "font-medium" : "font-mono text-small"}`}
      >
        <MiddleText text={nameOfRun(runId, names)} />
      </Link>
      {named && <span className="shrink-0 font-mono text-ink-3 text-small max-sm:hidden">{shortenMiddle(runId)}</span>}
      <CopyButton text={runId} what="the run's id" />
    </span>
  );
}
