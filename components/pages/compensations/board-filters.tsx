"use client";

import { useQuery } from "@tanstack/react-query";
import { WorkflowMenu } from "@/components/domain/workflows/workflow-menu";
import type { Look } from "@/components/parts/status/look";
import { StatusLabel } from "@/components/parts/status/status-label";
import { ChipButton } from "@/components/ui/chip-button";
import { Segmented } from "@/components/ui/form/segmented";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { compensationCountsQuery } from "@/lib/api/hooks/queries";
import { formatCount } from "@/lib/format";
import { type CompensationUrl, NOBODY, toCompensationFilter } from "./compensation-url";
import { LANE_ORDER, LANES } from "./lane-words";

interface BoardFiltersProps {
  url: CompensationUrl;
  setUrl: (change: Partial<CompensationUrl>) => unknown;
}

/** How many compensations are in which lane, and who has them. */
export function BoardFilters({ url, setUrl }: BoardFiltersProps) {
  const me = useMe().data?.name;
  const others = url.who !== "" && url.who !== NOBODY && url.who !== me;
  const whose = [
    { value: "", text: "All" },
    ...(me === undefined ? [] : [{ value: me, text: "Mine" }]),
    { value: NOBODY, text: "Unassigned" },
    ...(others ? [{ value: url.who, text: `${url.who}'s` }] : []),
  ];
  return (
    <div className="grid gap-2.5">
      <Lanes url={url} setUrl={setUrl} />
      <div className="flex flex-wrap items-center gap-2.5">
        <Segmented label="Assigned to" value={url.who} onChange={(who) => setUrl({ who })} options={whose} />
        <WorkflowMenu value={url.workflow} onChange={(workflow) => setUrl({ workflow })} />
      </div>
    </div>
  );
}

function Lanes({ url, setUrl }: BoardFiltersProps) {
  const { data: counts } = useQuery(compensationCountsQuery(toCompensationFilter(url)));
  return (
    <fieldset className="scrollbar-none flex min-w-0 gap-1 max-md:overflow-x-auto md:flex-wrap">
      <legend className="sr-only">Filter by lane</legend>
      <ChipButton on={url.lane === null} onClick={() => setUrl({ lane: null })}>
        <span className="font-medium">All open</span>
      </ChipButton>
      {LANE_ORDER.map((lane) => (
        <ChipButton key={lane} on={url.lane === lane} onClick={() => setUrl({ lane: url.lane === lane ? null : lane })}>
          <StatusLabel
            look={lookOf(lane, lane === "settled" ? undefined : counts?.byLane[lane])}
            className="font-normal"
          />
          {lane !== "settled" && (
            <span className="font-medium">{counts ? formatCount(counts.byLane[lane], COUNT_CAP) : "–"}</span>
          )}
        </ChipButton>
      ))}
    </fieldset>
  );
}

/** A lane without compensations needs no attention. */
function lookOf(lane: (typeof LANE_ORDER)[number], count: number | undefined): Look {
  const { look, title } = LANES[lane];
  return { ...look, word: title, tone: count === 0 ? "quiet" : look.tone };
}
