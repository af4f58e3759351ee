import Link from "next/link";
import type { ReactNode } from "react";
import { lookOfRun } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Elapsed } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import type { Run } from "@/lib/api/contract/run";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { formatDuration, shortenMiddle } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";

/** The facts of the two runs; differences are highlighted. */
export function ComparedRuns({ here, there }: { here: Run; there: Run }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line-strong bg-panel">
      <table className="w-full table-fixed text-left">
        <caption className="sr-only">The two runs</caption>
        <thead>
          <tr>
            <td className="w-[80px] md:w-[140px]" />
            <th scope="col" className="px-2 py-2 font-semibold md:px-3">
              This run
            </th>
            <th scope="col" className="px-2 py-2 font-semibold md:px-3">
              The other run
            </th>
          </tr>
        </thead>
        <tbody>
          {FACTS.map(({ name, same, tell }) => (
            <tr key={name} className="border-line border-t align-top">
              <th scope="row" className="px-2 py-1.5 font-normal text-ink-3 md:px-3">
                {name}
              </th>
              {[here, there].map((run, index) => (
                <td
                  key={index === 0 ? "here" : "there"}
                  className={`break-words px-2 py-1.5 md:px-3 [&_.truncate]:whitespace-normal ${same?.(here, there) === false ? "font-medium text-ink" : "text-ink-2"}`}
                >
                  {tell(run)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FactRow {
  name: string;
  tell: (run: Run) => ReactNode;
  /** Left out: they differ between any two runs. */
  same?: (here: Run, there: Run) => boolean;
}

const FACTS: FactRow[] = [
  {
    name: "Run",
    tell: (run) => (
      <Link href={`/runs/${run.id}`} title={run.id} className="text-accent hover:underline">
        {nameOfRun(run.id, run)}
        {titleOfRun(run) && <span className="font-mono text-small"> · {shortenMiddle(run.id)}</span>}
      </Link>
    ),
  },
  {
    name: "Status",
    tell: (run) => <StatusLabel look={lookOfRun(run)} />,
    same: (here, there) => lookOfRun(here).word === lookOfRun(there).word,
  },
  {
    name: "Version",
    tell: (run) => (run.codeVersion === run.version ? `v${run.version}` : `v${run.version}, then v${run.codeVersion}`),
    same: (here, there) => here.version === there.version && here.codeVersion === there.codeVersion,
  },
  {
    name: "Started",
    tell: (run) => (run.startedAt ? <Instant at={run.startedAt} as="full" /> : "not yet"),
  },
  {
    name: "Queued for",
    tell: (run) => (run.startedAt ? formatDuration(Date.parse(run.startedAt) - Date.parse(run.createdAt)) : "–"),
  },
  { name: "Took", tell: (run) => (run.startedAt ? <Elapsed from={run.startedAt} to={run.finishedAt} /> : "–") },
  {
    name: "Generation",
    tell: (run) => run.generation,
    same: (here, there) => here.generation === there.generation,
  },
  {
    name: "Error",
    tell: (run) => (run.error ? `${run.error.code ?? run.error.name}: ${run.error.message.split("\n")[0]}` : "none"),
    same: (here, there) => here.error?.message === there.error?.message,
  },
];
