"use client";

import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { Fragment, useState } from "react";
import { RUN_LOOKS } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import type { Run } from "@/lib/api/contract/run";
import type { Ancestor } from "@/lib/api/contract/run-relatives";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { nameOfRun } from "@/lib/format/run-name";

/** More than this, and the middle of the way is folded. */
const MOST_SHOWN = 4;

/** The way from the root of the tree down to this run. */
export function Ancestors({ run }: { run: Run }) {
  const [whole, setWhole] = useState(false);
  const { ancestors } = run;
  if (ancestors.length === 0) return null;
  const folded = whole || ancestors.length <= MOST_SHOWN ? 0 : ancestors.length - MOST_SHOWN;
  const shown = folded > 0 ? [...ancestors.slice(0, 1), ...ancestors.slice(1 + folded)] : ancestors;
  return (
    <nav aria-label="From the root of its tree" className="mb-1.5">
      <ol className="flex flex-wrap items-center gap-x-1 gap-y-0.5 text-ink-3 text-small">
        {ancestors[0]?.parentRunId && (
          <li className="flex items-center gap-1">
            more above <Arrow />
          </li>
        )}
        {shown.map((ancestor, place) => (
          <Fragment key={ancestor.runId}>
            <AncestorLink ancestor={ancestor} />
            {place === 0 && folded > 0 && (
              <li className="flex items-center gap-1">
                <button type="button" className="rounded underline hover:text-ink" onClick={() => setWhole(true)}>
                  {folded} more
                </button>
                <Arrow />
              </li>
            )}
          </Fragment>
        ))}
        <li aria-current="page" className="min-w-0 max-w-60 truncate font-mono text-ink-2">
          {run.parentStep}
        </li>
      </ol>
    </nav>
  );
}

const Arrow = () => <ChevronRight aria-hidden className="size-3 shrink-0" />;

function AncestorLink({ ancestor: { runId, parentStep, workflow, named, status } }: { ancestor: Ancestor }) {
  return (
    <li className="flex min-w-0 max-w-full items-center gap-1">
      <Link
        href={`/runs/${runId}`}
        title={`${workflow} · ${nameOfRun(runId, named)}`}
        className="inline-flex min-w-0 max-w-60 items-center gap-1 rounded text-accent hover:underline"
      >
        <StatusLabel look={RUN_LOOKS[status]} shapeOnly />
        <span className={parentStep ? "truncate font-mono" : "truncate"}>
          {parentStep ?? titleOfRun(named) ?? workflow}
        </span>
      </Link>
      <Arrow />
    </li>
  );
}
