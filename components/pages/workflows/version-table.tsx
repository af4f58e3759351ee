import Link from "next/link";
import { percentText } from "@/components/domain/flow/compare-words";
import { Card } from "@/components/ui/layout/card";
import { NumberTable } from "@/components/ui/table/number-table";
import type { FlowTotals, WorkflowFlow } from "@/lib/api/contract/flow";
import { failureRatio } from "@/lib/engine/flow/flow";
import { formatCount, formatDuration } from "@/lib/format";
import { versionRuns } from "./version-runs";

/** The versions of a workflow side by side: of the code that had the runs last. */
export function VersionTable({ flow: { workflow, versions, failingSince } }: { flow: WorkflowFlow }) {
  if (versions.length === 0) return null;
  return (
    <Card title="Versions" note="by the code that last ran them" className="overflow-hidden">
      <NumberTable
        label="Versions"
        columns={["Version", "Started", "Ended", "Failed", "Took p50", "p95", "p99"]}
        notOnPhones={[2, 5, 7]}
      >
        {versions.map(({ version, totals }) => (
          <tr key={version} className="border-line border-t">
            <th scope="row" className="whitespace-nowrap py-2 pr-3 pl-4 text-left font-medium">
              v{version}
              {version === failingSince && <span className="ml-2 font-medium text-red text-small">failing since</span>}
            </th>
            <td>{formatCount(totals.started)}</td>
            <td>{formatCount(endedOf(totals))}</td>
            <td>
              <Failed totals={totals} href={versionRuns(workflow, version)} />
            </td>
            <td>{spanText(totals.p50Ms)}</td>
            <td>{spanText(totals.p95Ms)}</td>
            <td>{spanText(totals.p99Ms)}</td>
          </tr>
        ))}
      </NumberTable>
    </Card>
  );
}

const endedOf = (of: FlowTotals) => of.completed + of.failed + of.cancelled + of.compensated;
const spanText = (ms: number | null) => (ms === null ? "–" : formatDuration(ms));

function Failed({ totals, href }: { totals: FlowTotals; href: string }) {
  const ratio = failureRatio(totals);
  if (ratio === null || totals.failed === 0) return <span className="text-ink-3">{ratio === null ? "–" : "none"}</span>;
  return (
    <Link href={href} className="rounded text-red hover:underline">
      {formatCount(totals.failed)} · {percentText(ratio)}
    </Link>
  );
}
