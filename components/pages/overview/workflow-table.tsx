import Link from "next/link";
import { percentText } from "@/components/domain/flow/compare-words";
import { Card } from "@/components/ui/layout/card";
import { NumberTable } from "@/components/ui/table/number-table";
import type { Flow, FlowTotals } from "@/lib/api/contract/flow";
import { failureRatio } from "@/lib/engine/flow/flow";
import { formatCount, formatDuration } from "@/lib/format";

/** Failure rates from here on are highlighted. */
const HIGH_RATIO = 0.05;

const ended = (of: FlowTotals) => of.completed + of.failed + of.cancelled + of.compensated;

/** Completed and failed runs per workflow, most failures first; each links to its page. */
export function WorkflowTable({ flow: { workflows, window } }: { flow: Flow }) {
  if (workflows.length === 0) return null;
  return (
    <Card title="By workflow" className="overflow-hidden">
      <NumberTable
        label="By workflow"
        columns={["Workflow", "Started", "Ended", "Failed", "Took p50", "p95"]}
        notOnPhones={[2, 5]}
      >
        {workflows.map(({ workflow, title, totals }) => (
          <tr key={workflow} className="border-line border-t">
            <th scope="row" className="max-w-52 truncate py-2 pl-4 text-left font-medium">
              <Link href={`/workflows/${encodeURIComponent(workflow)}?window=${window}`} className="hover:underline">
                {title}
              </Link>
            </th>
            <td>{formatCount(totals.started)}</td>
            <td>{formatCount(ended(totals))}</td>
            <td>
              <Failed totals={totals} />
            </td>
            <td>{span(totals.p50Ms)}</td>
            <td>{span(totals.p95Ms)}</td>
          </tr>
        ))}
      </NumberTable>
    </Card>
  );
}

function Failed({ totals }: { totals: FlowTotals }) {
  const ratio = failureRatio(totals);
  if (ratio === null || totals.failed === 0) return <span className="text-ink-3">{ratio === null ? "–" : "none"}</span>;
  return (
    <span className={ratio >= HIGH_RATIO ? "font-medium text-red" : ""}>
      {formatCount(totals.failed)} · {percentText(ratio)}
    </span>
  );
}

const span = (ms: number | null) => (ms === null ? "–" : formatDuration(ms));
