import Link from "next/link";
import { useState } from "react";
import { percentText } from "@/components/domain/flow/compare-words";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/layout/card";
import { NumberTable } from "@/components/ui/table/number-table";
import type { WorkflowFlow } from "@/lib/api/contract/flow";
import { formatCount, formatDuration } from "@/lib/format";
import { stepRuns } from "./version-runs";

type Step = WorkflowFlow["steps"][number];

/** More are shown on request. */
const SHOWN = 12;

/** Which step takes long, and which fails: slowest first, its newest versions beside each other. */
export function StepTable({ flow: { workflow, steps } }: { flow: WorkflowFlow }) {
  const [all, setAll] = useState(false);
  if (steps.length === 0) return null;
  const slowest = Math.max(...steps.map(({ p95Ms }) => p95Ms ?? 0));
  const shown = all ? steps : steps.slice(0, SHOWN);
  return (
    <Card title="Steps" note="slowest first, of runs that ended; times of the last attempt" className="overflow-hidden">
      <NumberTable
        label="Steps"
        columns={["Step", "p50 to p95", "p50", "p95", "p95 by version", "Executed", "Failed", "Retries"]}
        notOnPhones={[2, 3, 5, 6, 8]}
      >
        {shown.map((step) => (
          <tr key={step.step ?? ""} className="border-line border-t">
            <th scope="row" className="max-w-56 truncate py-2 pr-3 pl-4 text-left font-mono font-normal text-small">
              {step.step ?? <span className="font-sans text-ink-3">all other names</span>}
            </th>
            <td className="w-40">
              <Range step={step} slowest={slowest} />
            </td>
            <td>{spanText(step.p50Ms)}</td>
            <td>{spanText(step.p95Ms)}</td>
            <td className="text-ink-2">{byVersion(step)}</td>
            <td>{formatCount(step.executions)}</td>
            <td>
              <Failed step={step} href={stepRuns(workflow, step.step)} />
            </td>
            <td className={step.retries === 0 ? "text-ink-3" : ""}>
              {step.retries === 0 ? "none" : formatCount(step.retries)}
            </td>
          </tr>
        ))}
      </NumberTable>
      {shown.length < steps.length && (
        <div className="border-line border-t px-4 py-2.5">
          <Button variant="ghost" onClick={() => setAll(true)}>
            All {steps.length} steps
          </Button>
        </div>
      )}
    </Card>
  );
}

const spanText = (ms: number | null) => (ms === null ? "–" : formatDuration(ms));

/** The newest two: what a deploy has changed. */
const byVersion = ({ versions }: Step) =>
  versions.length < 2
    ? "–"
    : versions
        .slice(0, 2)
        .map(({ version, p95Ms }) => `v${version} ${spanText(p95Ms)}`)
        .join(" · ");

/** From what half of them take to what 95 of 100 take, beside the slowest step's. */
function Range({ step: { p50Ms, p95Ms }, slowest }: { step: Step; slowest: number }) {
  if (p50Ms === null || p95Ms === null || slowest === 0) return null;
  const left = (p50Ms / slowest) * 100;
  const width = Math.max(1.5, ((p95Ms - p50Ms) / slowest) * 100);
  return (
    <svg aria-hidden viewBox="0 0 100 8" preserveAspectRatio="none" className="block h-2 w-full min-w-24">
      <rect x={0} y={3.4} width={100} height={1.2} className="fill-line" />
      <rect x={Math.min(left, 98.5)} y={0} width={width} height={8} rx={0.8} className="fill-accent" />
    </svg>
  );
}

function Failed({ step: { failures, executions }, href }: { step: Step; href: string | null }) {
  if (failures === 0) return <span className="text-ink-3">none</span>;
  const text = `${formatCount(failures)} · ${percentText(failures / executions)}`;
  if (href === null) return <span className="text-red">{text}</span>;
  return (
    <Link href={href} className="rounded text-red hover:underline">
      {text}
    </Link>
  );
}
