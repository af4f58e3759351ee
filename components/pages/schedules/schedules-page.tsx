"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import Link from "next/link";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { FIRING_LOOKS, lookOfSchedule, timingWords } from "@/components/domain/schedules/schedule-words";
import { BoardPage } from "@/components/parts/page/board-page";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { ScheduleListItem } from "@/lib/api/contract/schedules";
import { schedulesQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { cronWords } from "./cron-words";
import { NewScheduleDialog } from "./new-schedule-dialog";

/** The schedules, and when each fires next. */
export function SchedulesPage() {
  const query = useInfiniteQuery(schedulesQuery());
  const { open, show, close } = useDialogUrl(["new"]);
  return (
    <BoardPage
      title="Schedules"
      query={query}
      above={
        <div className="flex justify-end">
          <PermittedButton action="schedule.put" onClick={() => show("new")}>
            New schedule…
          </PermittedButton>
        </div>
      }
    >
      {({ schedules }) => (
        <>
          <Loaded schedules={schedules} />
          {open && <NewScheduleDialog names={schedules.map(({ name }) => name)} onClose={close} />}
        </>
      )}
    </BoardPage>
  );
}

function Loaded({ schedules }: { schedules: ScheduleListItem[] }) {
  if (schedules.length === 0)
    return (
      <EmptyState icon={<CalendarClock aria-hidden />} title="No schedules yet">
        List one in <code className="font-mono text-small">handrail.config.ts</code>, and workers register it when they
        start, or make one here.
      </EmptyState>
    );
  return (
    <Card>
      <ul className="@container">
        {schedules.map((schedule) => (
          <ScheduleItem key={schedule.name} schedule={schedule} />
        ))}
      </ul>
    </Card>
  );
}

function ScheduleItem({ schedule }: { schedule: ScheduleListItem }) {
  const [next] = schedule.nextTimes;
  const [last] = schedule.firings;
  const words = cronWords(schedule, useTimes());
  return (
    <li className="grid gap-x-6 gap-y-1.5 border-line border-t px-4 py-3 first:border-t-0 @[820px]:grid-cols-[minmax(190px,1.4fr)_minmax(150px,1fr)_minmax(150px,1fr)_minmax(150px,1fr)] @[820px]:items-center">
      <div className="min-w-0">
        <p className="truncate font-medium">
          <Link href={`/schedules/${encodeURIComponent(schedule.name)}`} className="hover:underline">
            {schedule.title}
          </Link>
        </p>
        <p className="truncate text-ink-3">{schedule.workflowTitle}</p>
      </div>
      <div className="min-w-0">
        {words && <p className="truncate">{words}</p>}
        <p className={classNames("truncate font-mono text-small", words && "text-ink-3")}>{timingWords(schedule)}</p>
        {schedule.overridden.length > 0 && <p className="text-amber text-small">edited</p>}
        {schedule.atRunTime && <p className="text-ink-3 text-small">made at run time</p>}
      </div>
      <p>
        <StatusLabel look={lookOfSchedule(schedule)} />
        {next && (
          <span className="block text-ink-3">
            next <Instant at={next} className="text-ink-2" />
          </span>
        )}
      </p>
      <p className="text-ink-3">
        {last ? (
          <>
            <StatusLabel look={FIRING_LOOKS[last.status]} />
            <span className="block">
              for <Instant at={last.nominalAt} className="text-ink-2" />
            </span>
          </>
        ) : (
          "no runs yet"
        )}
      </p>
    </li>
  );
}
