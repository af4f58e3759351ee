"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { FIRING_LOOKS } from "@/components/domain/schedules/schedule-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Card } from "@/components/ui/layout/card";
import type { ScheduleListItem } from "@/lib/api/contract/schedules";
import { schedulesQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";

/** A firing later than this counts as late: workers check every second or so. */
const LATE_MS = 15_000;
const SHOWN = 4;

/** Next firings, late ones, and those that failed. */
export function SchedulesCard() {
  const { data } = useInfiniteQuery(schedulesQuery());
  const schedules = data?.schedules ?? [];
  if (schedules.length === 0) return null;
  const nowMs = Date.parse(data?.updatedAt ?? "");
  const active = schedules
    .filter(({ pausedAt, nextTimes }) => pausedAt === null && nextTimes.length > 0)
    .sort((a, b) => (a.nextTimes[0] ?? "").localeCompare(b.nextTimes[0] ?? ""));
  const isLate = ({ nextTimes: [next] }: ScheduleListItem) => next !== undefined && nowMs - Date.parse(next) > LATE_MS;
  const late = active.filter(isLate);
  const wrong = schedules.filter(({ firings: [last] }) => last?.status === "missed" || last?.status === "refused");
  const paused = schedules.filter(({ pausedAt }) => pausedAt !== null).length;
  return (
    <Card title="Schedules" note={paused > 0 ? `${paused} paused` : undefined} className="pb-3">
      <ul className="px-4 pt-0.5">
        {active.slice(0, SHOWN).map((schedule) => (
          <li key={schedule.name} className="flex items-baseline gap-3 py-1">
            <Link
              href={`/schedules/${encodeURIComponent(schedule.name)}`}
              className="min-w-0 flex-1 truncate hover:underline"
            >
              {schedule.title}
            </Link>
            <span className={isLate(schedule) ? "font-medium text-amber" : "text-ink-3"}>
              {isLate(schedule) && "late: "}
              <Instant at={schedule.nextTimes[0] ?? ""} as="relative" />
            </span>
          </li>
        ))}
        {wrong.slice(0, SHOWN).map(({ name, title, firings: [last] }) => (
          <li key={name} className="flex items-baseline gap-3 py-1">
            <Link href={`/schedules/${encodeURIComponent(name)}`} className="min-w-0 flex-1 truncate hover:underline">
              {title}
            </Link>
            {last && <StatusLabel look={FIRING_LOOKS[last.status]} className="font-normal text-small" />}
          </li>
        ))}
      </ul>
      <p className="px-4 pt-1 text-ink-3 text-small">
        {late.length === 0 && wrong.length === 0 ? "On schedule. " : ""}
        {active.length > SHOWN && (
          <Link href="/schedules" className="text-accent hover:underline">
            All {plural(schedules.length, "schedule")}
          </Link>
        )}
      </p>
    </Card>
  );
}
