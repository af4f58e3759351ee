import { ShareReport } from "@/components/domain/reports/share-report";
import { RUN_LOOKS } from "@/components/domain/run/run-looks";
import type { Look } from "@/components/parts/status/look";
import { StatusLabel } from "@/components/parts/status/status-label";
import { ExportButtons } from "@/components/ui/export-buttons";
import { Card } from "@/components/ui/layout/card";
import { hrefOf } from "@/lib/api/client/browser";
import type { OperationAndRuns } from "@/lib/api/contract/operations";
import { formatCount } from "@/lib/format";

const STANDINGS = [
  { name: "completed", look: RUN_LOOKS.completed },
  { name: "underWay", look: { shape: "running", word: "In progress", tone: "blue" } },
  { name: "needPerson", look: { shape: "octagon", word: "Need attention", tone: "red" } },
  { name: "others", look: { shape: "slash", word: "Cancelled, compensated or paused", tone: "quiet" } },
] as const satisfies { name: keyof OperationAndRuns["runs"]; look: Look }[];

/** An operation ends before its runs do: the current statuses of the runs that it has acted on. */
export function RunsNow({ operation: { id, runs } }: { operation: OperationAndRuns }) {
  return (
    <Card title="Current run status" note={notAll(runs)}>
      <div className="px-4 pb-4">
        <StandingList runs={runs} />
      </div>
      <div className="grid gap-2 border-line border-t px-4 py-3">
        <p className="text-ink-2">
          <b className="font-semibold text-ink">Report</b>: every run with its outcome, and every effect once, with key
          and reference.
        </p>
        <ExportButtons href={(format) => hrefOf("/v1/operations/{operationId}/report", { operationId: id, format })} />
        <ShareReport about={{ operationId: id }} prints={false} />
      </div>
    </Card>
  );
}

export function StandingList({ runs }: Pick<OperationAndRuns, "runs">) {
  const shown = STANDINGS.filter(({ name }) => runs[name] > 0);
  return (
    <ul aria-label="Current run status" className="grid gap-1.5">
      {shown.map(({ name, look }) => (
        <li key={name} className="flex items-center gap-3">
          <StatusLabel look={look} className="flex-1" />
          <span className="font-medium">{formatCount(runs[name])}</span>
        </li>
      ))}
      {shown.length === 0 && <li className="text-ink-3">No runs yet.</li>}
    </ul>
  );
}

/** The server counts at most this many. */
const MOST = 10_000;

export const notAll = (runs: OperationAndRuns["runs"]) =>
  runs.of === MOST ? `the latest ${formatCount(MOST)}` : undefined;
