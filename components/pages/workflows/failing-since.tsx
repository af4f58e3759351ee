import Link from "next/link";
import { percentText } from "@/components/domain/flow/compare-words";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import type { WorkflowFlow } from "@/lib/api/contract/flow";
import { failureRatio } from "@/lib/engine/flow/flow";
import { FLOW_WINDOWS } from "@/lib/engine/flow/rollup";
import { versionRuns } from "./version-runs";

/** The deploy that went wrong, and the way to its runs. */
export function FailingSince({ flow: { workflow, window, failingSince, versions } }: { flow: WorkflowFlow }) {
  if (failingSince === null) return null;
  const ratioOf = (version: number | undefined) => {
    const found = versions.find((one) => one.version === version);
    const ratio = found ? failureRatio(found.totals) : null;
    return ratio === null ? null : percentText(ratio);
  };
  const older = versions.find(({ version }) => version < failingSince)?.version;
  return (
    <Callout tone="red" title={`Failing since version ${failingSince}`}>
      <p className="text-ink-2">
        In the last {FLOW_WINDOWS[window].words} {ratioOf(failingSince)} of its runs failed
        {older !== undefined && `, of version ${older} ${ratioOf(older)}`}. Pause new runs, then rerun on a version that
        works.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button asChild>
          <Link href={versionRuns(workflow, failingSince)}>Failed runs of version {failingSince}</Link>
        </Button>
        <Button asChild>
          <Link href="/workflows">Pause new runs…</Link>
        </Button>
      </div>
    </Callout>
  );
}
