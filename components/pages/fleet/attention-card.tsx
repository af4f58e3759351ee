import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { ProblemTitle } from "@/components/domain/problems/problem-title";
import { ATTENTION_LOOKS } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { RunListItem } from "@/lib/api/contract/run";
import type { Cell, OfCell } from "@/lib/api/hooks/cell-hooks";
import { ATTENTIONS } from "@/lib/engine/runs/run";
import { plural } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";
import { CellLink, CellName } from "./cell-link";

type Answered = { cell: Cell; answer: OverviewResponse };

/** What only a person can repair, in any cell: alerts, failures folded into problems, and single runs, worst first. */
export function AttentionCard({ overviews }: { overviews: OfCell<OverviewResponse>[] }) {
  const answered = overviews.flatMap(({ cell, answer, error }) => (answer && !error ? [{ cell, answer }] : []));
  const waiting = overviews.some(({ answer, error }) => !answer && !error);
  const items = itemsOf(answered);
  return (
    <Card title="Needs attention" note={items.length > 0 ? items.length : undefined}>
      <Missing of={overviews} what="what needs attention there is" />
      {items.length === 0 && waiting && (
        <Loading what="what needs attention" className="p-4">
          <Skeleton className="h-8 w-full" />
        </Loading>
      )}
      {items.length === 0 && !waiting && answered.length > 0 && (
        <EmptyState icon={<CircleCheck aria-hidden className="text-green" />} title="All clear" className="py-10">
          {answered.length === overviews.length ? "In every cell." : `In ${namesOf(answered)}.`}
        </EmptyState>
      )}
      <ul className="px-4 pb-1.5">
        {items.map(({ key, cell, what }) => (
          <li
            key={key}
            className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2 first:border-t-0"
          >
            <CellName cell={cell} />
            {what}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What is not shown must not look like nothing. `what`: "its runs are". */
export function Missing({ of, what }: { of: OfCell<unknown>[]; what: string }) {
  const missing = of.filter(({ error }) => error !== null);
  if (missing.length === 0) return null;
  return (
    <div className="px-4 pb-2">
      <Callout tone="amber" role="status" title={`Without ${namesOf(missing)}`}>
        <p className="text-ink-2">
          {missing.length === 1 ? "This cell does not answer" : "These cells do not answer"}: {what} not in this list.
        </p>
      </Callout>
    </div>
  );
}

const namesOf = (of: readonly { cell: Cell }[]) => of.map(({ cell }) => cell.name).join(", ");

interface Item {
  key: string;
  cell: Cell;
  what: ReactNode;
}

function itemsOf(answered: readonly Answered[]): Item[] {
  const alerts = answered.flatMap(({ cell, answer }) =>
    answer.alerts.map((alert) => ({
      key: `${cell.name} ${alert.id}`,
      cell,
      what: <Alert cell={cell} name={alert.name} />,
    })),
  );
  const runs = answered
    .flatMap(({ cell, answer }) => answer.needsPerson.map((run) => ({ cell, run })))
    .filter(({ run }) => run.attention !== "failed")
    .sort((a, b) => rankOf(a.run) - rankOf(b.run) || (a.run.id < b.run.id ? -1 : 1))
    .map(({ cell, run }) => ({ key: `${cell.name} ${run.id}`, cell, what: <Run cell={cell} run={run} /> }));
  const problems = answered
    .flatMap(({ cell, answer }) => answer.problems.holding.map((problem) => ({ cell, problem })))
    .sort((a, b) => b.problem.openRuns - a.problem.openRuns)
    .map(({ cell, problem }) => ({
      key: `${cell.name} ${problem.id}`,
      cell,
      what: (
        <>
          <CellLink cell={cell} href={`/problems/${problem.id}`}>
            <ProblemTitle problem={problem} />
          </CellLink>
          <span className="ml-auto text-ink-2">{plural(problem.openRuns, "run")}</span>
        </>
      ),
    }));
  return [...alerts, ...runs, ...problems];
}

const rankOf = ({ attention }: RunListItem) => ATTENTIONS.indexOf(attention ?? "failed");

const Alert = ({ cell, name }: { cell: Cell; name: string }) => (
  <>
    <StatusLabel look={{ shape: "octagon", word: "Alert", tone: "red" }} />
    <CellLink cell={cell} href="/alerts">
      {name}
    </CellLink>
  </>
);

const Run = ({ cell, run }: { cell: Cell; run: RunListItem }) => (
  <>
    <StatusLabel look={ATTENTION_LOOKS[run.attention ?? "failed"]} />
    <CellLink cell={cell} href={`/runs/${run.id}`}>
      {nameOfRun(run.id, run)}
    </CellLink>
    <span className="text-ink-2">{run.workflow}</span>
    <span className="ml-auto text-ink-3">
      <Instant at={run.finishedAt ?? run.createdAt} />
    </span>
  </>
);
