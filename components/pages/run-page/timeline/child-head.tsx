import Link from "next/link";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/feedback/spinner";
import { formatCount, plural } from "@/lib/format";
import { Guides } from "./guides";
import type { NestedRest, NestedRun, Place } from "./nested-run";

const LINE = "flex h-full min-w-0 items-center gap-2 border-line border-t px-4 text-small md:px-6";

/** The head above an open child's steps: its run, its status, and a link to it. */
export function ChildHead({ child: { run, failed, retry }, place }: { child: NestedRun; place: Place }) {
  return (
    <div className={LINE}>
      <Guides depth={place.depth} />
      {run && (
        <>
          <StatusLabel look={lookOfRun(run)} className="shrink-0" />
          <span title={run.summary} className="min-w-0 truncate text-ink-2">
            <span className="font-medium">{run.title}</span> · {run.summary}
          </span>
          {run.steps.length === 0 && <span className="shrink-0 text-ink-3">No step has started.</span>}
        </>
      )}
      {!run && failed && (
        <>
          <span className="text-ink-2">The child's steps could not be read.</span>
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        </>
      )}
      {!run && !failed && (
        <span role="status" className="flex items-center gap-2 text-ink-3">
          <Spinner /> Reading the child's steps
        </span>
      )}
      <ToItsPage place={place}>Open run</ToItsPage>
    </div>
  );
}

/** Of a child with more steps than came with it: how many there are, and all of them on asking. */
export function ChildRest({ rest, depth, onToggle }: { rest: NestedRest; depth: number; onToggle: () => void }) {
  const { state, retry } = rest;
  return (
    <div className={LINE}>
      <Guides depth={depth} />
      <span role="status" className="min-w-0 truncate text-ink-3">
        {restWords(rest)}
      </span>
      {/* One button through all of it, so that who pressed it does not lose it; pressed while it reads, it reads no more. */}
      <Button size="small" variant="ghost" onClick={state === "failed" ? retry : onToggle}>
        {BUTTON_WORDS[state]}
      </Button>
    </div>
  );
}

const BUTTON_WORDS = { closed: "Show all", reading: "Stop", failed: "Try again", open: "Show fewer" };

function restWords({ state, total, left }: NestedRest): string {
  if (state === "reading") return `Reading ${plural(left, "more step")}…`;
  if (state === "failed") return `${plural(left, "step")} could not be read.`;
  if (left === 0) return `All ${plural(total, "step")}`;
  const some = `${formatCount(total - left)} of ${plural(total, "step")}`;
  return state === "open" ? `${some}; the rest is on its page` : `${some}: what is not done, the first and the last`;
}

const ToItsPage = ({ place, children }: { place: Place; children: string }) => (
  <Link href={`/runs/${place.runId}`} prefetch={false} className="shrink-0 rounded py-1 text-accent hover:underline">
    {children}
  </Link>
);
