import Link from "next/link";
import type { Flow, FlowTotals } from "@/lib/api/contract/flow";
import { failureRatio } from "@/lib/engine/flow";
import { formatCount, formatDuration } from "@/lib/format";
import { Card } from "../ui/card";
import { percentText } from "./compare-words";

/** From here on the share of failures stands out. */
const HIGH_RATIO = 0.05;

const ended = (of: FlowTotals) => of.completed + of.failed + of.cancelled + of.compensated;

/** Where it went well and where not, most failures first; each a way to its own page. */
export function WorkflowTable({ flow: { workflows, window } }: { flow: Flow }) {
  if (workflows.length === 0) return null;
  return (
    <Card title="By workflow" className="overflow-hidden">
      <div className="overflow-x-auto">
        <table className="w-full">
          <thead>
            <tr className="text-left text-ink-3 text-small">
              <th scope="col" className="py-1.5 pl-4 font-normal">
                Workflow
              </th>
              {["Started", "Ended", "Failed", "Took p50", "p95"].map((name) => (
                <th key={name} scope="col" className="px-3 py-1.5 text-right font-normal last:pr-4">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {workflows.map(({ workflow, title, totals }) => (
              <tr key={workflow} className="border-line border-t">
                <th scope="row" className="max-w-52 truncate py-2 pl-4 text-left font-medium">
                  <Link
                    href={`/?workflow=${encodeURIComponent(workflow)}&window=${window}`}
                    className="hover:underline"
                  >
                    {title}
                  </Link>
                </th>
                <td className="px-3 text-right">{formatCount(totals.started)}</td>
                <td className="px-3 text-right">{formatCount(ended(totals))}</td>
                <td className="whitespace-nowrap px-3 text-right">
                  <Failed totals={totals} />
                </td>
                <td className="whitespace-nowrap px-3 text-right">{span(totals.p50Ms)}</td>
                <td className="whitespace-nowrap px-3 pr-4 text-right">{span(totals.p95Ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
