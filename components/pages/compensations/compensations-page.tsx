"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, SearchX } from "lucide-react";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { ListActWindow } from "@/components/domain/actions/list-act-window";
import { type BoardPlace, useBoardRuns } from "@/components/domain/run-preview/use-board-runs";
import { BoardPage } from "@/components/parts/page/board-page";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { Card } from "@/components/ui/layout/card";
import type { OwedCompensation } from "@/lib/api/contract/responses";
import { compensationsQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";
import { BoardFilters } from "./board-filters";
import { CompensationItem } from "./compensation-item";
import { compensationUrl, toCompensationFilter } from "./compensation-url";
import { LANE_ORDER, LANES } from "./lane-words";

const TYPING_MS = 300;

/** Compensations that are owed, in progress or done, with their assignees. The run of the selected one is at right. */
export function CompensationsPage() {
  const [url, setUrl] = useQueryStates(compensationUrl, { history: "replace" });
  const workflow = useDebounced(url.workflow, TYPING_MS);
  const query = useInfiniteQuery(compensationsQuery(toCompensationFilter({ ...url, workflow })));
  const { placeOf, beside } = useBoardRuns(LANE_ORDER.flatMap((lane) => inLane(query.data?.compensations ?? [], lane)));
  const narrowed = url.lane !== null || url.who !== "" || workflow !== "";
  return (
    <>
      <BoardPage title="Compensations" query={query} above={<BoardFilters url={url} setUrl={setUrl} />} beside={beside}>
        {({ compensations }) =>
          compensations.length === 0 ? (
            <Nothing narrowed={narrowed} onAll={() => void setUrl(null)} />
          ) : (
            <Lanes items={compensations} more={query.hasNextPage} placeOf={placeOf} />
          )
        }
      </BoardPage>
      <ListActWindow />
    </>
  );
}

const inLane = (items: OwedCompensation[], lane: OwedCompensation["lane"]) =>
  items.filter((item) => item.lane === lane);

interface LanesProps {
  items: OwedCompensation[];
  more: boolean;
  placeOf: (item: OwedCompensation) => BoardPlace;
}

function Lanes({ items, more, placeOf }: LanesProps) {
  return LANE_ORDER.map((lane) => {
    const shown = inLane(items, lane);
    if (shown.length === 0) return null;
    const { title, note } = LANES[lane];
    return (
      <Card
        key={lane}
        title={title}
        note={
          <>
            {plural(shown.length, "compensation")}
            {more && " so far"} <span className="max-md:hidden">· {note}</span>
          </>
        }
      >
        <ul>
          {shown.map((item) => (
            <CompensationItem key={`${item.runId} ${item.step} ${item.generation}`} item={item} place={placeOf(item)} />
          ))}
        </ul>
      </Card>
    );
  });
}

function Nothing({ narrowed, onAll }: { narrowed: boolean; onAll: () => void }) {
  if (narrowed)
    return (
      <EmptyState
        icon={<SearchX aria-hidden />}
        title="No compensations match these filters"
        action={<Button onClick={onAll}>Show open compensations</Button>}
      >
        It may be resolved, or assigned to someone else.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<CircleCheck aria-hidden className="text-green" />}
      title="No pending compensations"
      action={
        <Button asChild>
          <Link href="/runs?status=compensated,compensating">Compensated runs</Link>
        </Button>
      }
    >
      When a run is compensated, each of its effects is listed here until its compensation is resolved.
    </EmptyState>
  );
}
