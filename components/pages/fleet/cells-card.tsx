import { ATTENTION_LOOKS } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { type OfCell, troubleOf } from "@/lib/api/hooks/cell-hooks";
import { ATTENTIONS } from "@/lib/engine/runs/run";
import { formatCount, plural } from "@/lib/format";
import { CellLink } from "./cell-link";

type OverviewOfCell = OfCell<OverviewResponse>;

/** Whether each cell answers, and how it fares. */
export function CellsCard({ overviews }: { overviews: OverviewOfCell[] }) {
  return (
    <Card title="Cells" note={overviews.length}>
      <ul className="px-4 pb-1.5">
        {overviews.map((overview) => (
          <CellRow key={overview.cell.name} overview={overview} />
        ))}
      </ul>
    </Card>
  );
}

function CellRow({ overview: { cell, answer, error, at, retry } }: { overview: OverviewOfCell }) {
  return (
    <li className="grid gap-1 border-line border-t py-2.5 first:border-t-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CellLink cell={cell} href="/" className="font-medium text-accent hover:underline">
          {cell.name}
        </CellLink>
        {cell.isOwn && <span className="text-ink-3 text-small">this console</span>}
        <State overview={{ cell, answer, error, at, retry }} />
        {error && (
          <Button size="small" variant="ghost" onClick={retry}>
            Try again
          </Button>
        )}
      </p>
      {error && <p className="break-words text-ink-2">{troubleOf(error)}</p>}
      {answer && (
        <p className={error ? "text-ink-3" : "text-ink-2"}>
          {fareOf(answer)}
          {error && at > 0 && (
            <>
              , as of <Instant at={new Date(at).toISOString()} as="clock" />
            </>
          )}
        </p>
      )}
      {!answer && !error && <Skeleton className="h-4 w-64" />}
    </li>
  );
}

function State({ overview: { answer, error } }: { overview: OverviewOfCell }) {
  if (error) return <StatusLabel look={{ shape: "octagon", word: "Does not answer", tone: "red" }} />;
  if (!answer) return null;
  if (answer.workers.live === 0)
    return <StatusLabel look={{ shape: "question", word: "No live worker", tone: "red" }} />;
  return <StatusLabel look={{ shape: "check", word: "Answers", tone: "green" }} />;
}

/** "2 failed, 1 approval; 4 workers, 12 runs running" */
function fareOf({ byAttention, byStatus, workers, alerts }: OverviewResponse): string {
  const needs = ATTENTIONS.filter((attention) => byAttention[attention] > 0).map(
    (attention) => `${formatCount(byAttention[attention], COUNT_CAP)} ${ATTENTION_LOOKS[attention].word.toLowerCase()}`,
  );
  const firing = alerts.length > 0 ? [plural(alerts.length, "alert")] : [];
  const attention = [...firing, ...needs];
  const running = `${formatCount(byStatus.running ?? 0, COUNT_CAP)} running`;
  return `${attention.length > 0 ? attention.join(", ") : "Nothing needs attention"}; ${plural(workers.live, "live worker")}, ${running}`;
}
