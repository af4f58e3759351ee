import Link from "next/link";
import { plural } from "@/lib/format";
import { lookOfRun } from "../status/run-looks";
import { StatusLabel } from "../status/status-label";
import { Button } from "../ui/button";
import { Spinner } from "../ui/spinner";
import { Guides } from "./guides";
import type { NestedRun, Place } from "./nested-run";

const LINE = "flex h-full min-w-0 items-center gap-2 border-line border-t px-4 text-small md:px-6";

/** Over the steps of an open child: which run they are of, how it stands, and the way to all of it. */
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
          {run.steps.length === 0 && <span className="shrink-0 text-ink-3">No step has begun.</span>}
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
      <ToItsPage place={place}>Its page</ToItsPage>
    </div>
  );
}

/** What of a long child was not read. */
export function ChildRest({ count, place }: { count: number; place: Place }) {
  return (
    <div className={LINE}>
      <Guides depth={place.depth} />
      <span className="text-ink-3">{plural(count, "more step")}</span>
      <ToItsPage place={place}>All on its page</ToItsPage>
    </div>
  );
}

const ToItsPage = ({ place, children }: { place: Place; children: string }) => (
  <Link href={`/runs/${place.runId}`} prefetch={false} className="shrink-0 rounded py-1 text-accent hover:underline">
    {children}
  </Link>
);
