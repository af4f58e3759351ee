"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import { MayOpen } from "@/components/domain/access/may-open";
import { RESULT_LOOKS, verbOf } from "@/components/domain/audit/act-words";
import {
  FIELD_WORDS,
  lookOfSchedule,
  MISSED_WORDS,
  OVERLAP_WORDS,
  timingWords,
} from "@/components/domain/schedules/schedule-words";
import { BoardSkeleton } from "@/components/parts/page/board-page";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { useCommands } from "@/components/parts/palette/commands";
import { useRemember } from "@/components/parts/palette/recent";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { JsonView } from "@/components/parts/values/json-view";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Tooltip } from "@/components/ui/overlay/tooltip";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import { ApiError } from "@/lib/api/client/client";
import type { Schedule } from "@/lib/api/contract/schedules";
import { scheduleQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { SCHEDULE_ACTS } from "@/lib/engine/schedules/schedule-acts";
import { cronWords } from "./cron-words";
import { FiringList } from "./firing-list";
import { ScheduleDialogs } from "./schedule-dialogs";

export type ScheduleAct = Schedule["acts"][number]["act"];

const BUTTONS: Record<ScheduleAct, string> = {
  fire: "Run now…",
  backfill: "Backfill…",
  pause: "Pause…",
  resume: "Resume…",
  edit: "Edit…",
  reset: "Revert edits…",
  remove: "Remove…",
};

/** One schedule: when it fires next, what it fired last, and the available actions. */
export function SchedulePage({ name }: { name: string }) {
  const { data, error, refetch } = useQuery(scheduleQuery(name));
  return (
    <>
      <TopBar
        crumb={
          <Link href="/schedules" className="flex items-center gap-1 text-ink-2 hover:text-ink max-md:min-h-11">
            <ChevronLeft aria-hidden className="size-4" />
            Schedules
          </Link>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {data && <Loaded schedule={data} />}
          {!data && error && isUnknown(error) && <UnknownSchedule name={name} />}
          {!data && error && !isUnknown(error) && (
            <QueryFailure what="the schedule" error={error} onRetry={() => void refetch()} />
          )}
          {!data && !error && <BoardSkeleton what="the schedule" />}
        </div>
      </div>
    </>
  );
}

// A name that no schedule can have is answered as an invalid request.
const isUnknown = (error: Error) =>
  error instanceof ApiError && (error.code === "unknown_schedule" || error.code === "invalid_request");

function UnknownSchedule({ name }: { name: string }) {
  return (
    <EmptyState
      title="Schedule not found"
      action={
        <Button asChild>
          <Link href="/schedules">All schedules</Link>
        </Button>
      }
    >
      There is no schedule named <span className="break-all font-mono text-small">{name}</span>, or it was removed.
    </EmptyState>
  );
}

function Loaded({ schedule }: { schedule: Schedule }) {
  const { open: act, show, close } = useDialogUrl(SCHEDULE_ACTS);
  useRemember(`/schedules/${encodeURIComponent(schedule.name)}`, schedule.title);
  useCommands(
    `This schedule · ${schedule.title}`,
    schedule.acts.filter(isShown).map(({ act, open, because }) => ({
      id: `act ${act}`,
      label: BUTTONS[act],
      closed: open ? null : because,
      run: () => show(act),
    })),
  );
  return (
    <>
      <header className="grid gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="font-semibold text-title tracking-tight">{schedule.title}</h1>
          <StatusLabel look={lookOfSchedule(schedule)} />
          <span className="font-mono text-ink-3 text-small">{schedule.name}</span>
        </div>
        <div className="flex flex-wrap gap-2">
          {schedule.acts.filter(isShown).map(({ act, open, because }) => (
            <ActButton key={act} act={act} because={open ? null : because} onOpen={() => show(act)} />
          ))}
        </div>
      </header>
      {schedule.workers === 0 && !schedule.pausedAt && (
        <Callout tone="amber" title="No live worker for this schedule">
          <p className="text-ink-2">
            No live worker has both the schedule and its workflow. When one starts, the policy for missed times applies.
          </p>
        </Callout>
      )}
      <div className="grid items-start gap-3.5 lg:grid-cols-2">
        <Definition schedule={schedule} />
        <NextTimes schedule={schedule} />
      </div>
      <FiringList firings={schedule.firings} name={schedule.name} />
      <Acts schedule={schedule} />
      {act && (
        <MayOpen because={schedule.acts.find((state) => state.act === act)?.because} onClose={close}>
          <ScheduleDialogs act={act} schedule={schedule} onClose={close} />
        </MayOpen>
      )}
    </>
  );
}

/** Of pause and resume, the closed one is not shown; nor is the removal of what code defines. */
const isShown = ({ act, open }: Schedule["acts"][number]) =>
  open || (act !== "pause" && act !== "resume" && act !== "remove");

function ActButton({ act, because, onOpen }: { act: ScheduleAct; because: string | null; onOpen: () => void }) {
  const button = (
    <Button
      variant={act === "fire" ? "primary" : "secondary"}
      aria-disabled={because !== null}
      onClick={() => because === null && onOpen()}
    >
      {BUTTONS[act]}
    </Button>
  );
  return because === null ? button : <Tooltip text={because}>{button}</Tooltip>;
}

function Definition({ schedule }: { schedule: Schedule }) {
  const { overridden, definition } = schedule;
  const words = cronWords(schedule, useTimes());
  return (
    <Card title="Definition">
      <div className="grid gap-3 px-4 pb-4">
        <Facts>
          <Fact name="Starts">
            <Link href={`/workflows/${encodeURIComponent(schedule.workflow)}`} className="rounded hover:underline">
              {schedule.workflowTitle}
            </Link>
          </Fact>
          <Fact name="Times">
            {words && <span className="block">{words}</span>}
            <span className={classNames("font-mono text-small", words && "text-ink-3")}>{timingWords(schedule)}</span>
          </Fact>
          <Fact name="Defined">
            {schedule.atRunTime ? "at run time" : "in code"}, <Instant at={schedule.createdAt} />
          </Fact>
          <Fact name="Overlap">{OVERLAP_WORDS[schedule.overlap]}</Fact>
          <Fact name="Missed">{MISSED_WORDS[schedule.missed]}</Fact>
          <Fact name="Input">
            <JsonView value={schedule.input} what="the input" />
          </Fact>
        </Facts>
        {overridden.length > 0 && (
          <Callout tone="amber" title={`Edited: ${overridden.map((field) => FIELD_WORDS[field] ?? field).join(", ")}`}>
            <p className="text-ink-2">
              {schedule.atRunTime ? "Made with" : "In code"}:{" "}
              <span className="font-mono text-small">{timingWords(definition)}</span>,{" "}
              {OVERLAP_WORDS[definition.overlap].toLowerCase()}, {MISSED_WORDS[definition.missed].toLowerCase()}.
            </p>
          </Callout>
        )}
      </div>
    </Card>
  );
}

function NextTimes({ schedule: { nextTimes, pausedAt } }: { schedule: Schedule }) {
  const { zone } = useTimes();
  return (
    <Card title="Next times" note={`in ${zone}`}>
      <div className="px-4 pb-4">
        {pausedAt ? (
          <p className="text-ink-3">
            Paused <Instant at={pausedAt} as="relative" className="text-ink-2" />. No runs start until it is resumed.
          </p>
        ) : (
          <ol className="grid gap-1.5">
            {nextTimes.map((time) => (
              <li key={time}>
                <Instant at={time} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </Card>
  );
}

function Acts({ schedule: { audit } }: { schedule: Schedule }) {
  if (audit.length === 0) return null;
  return (
    <Card title="Audit log">
      <ul className="grid gap-1.5 px-4 pb-4">
        {audit.map(({ id, at, actor, act, reason, result }) => (
          <li key={id}>
            <Instant at={at} className="text-ink-3" /> {actor} {verbOf({ act, result })} it:{" "}
            <span className="text-ink-2">{reason}</span>
            {result !== "done" && <StatusLabel look={RESULT_LOOKS[result]} className="ml-2" />}
          </li>
        ))}
      </ul>
    </Card>
  );
}
