import type { Look } from "@/components/parts/status/look";
import type { Thing } from "@/components/parts/toasts/tell";
import type { Firing, Schedule, ScheduleListItem } from "@/lib/api/contract/schedules";
import { formatDuration } from "@/lib/format";

export const timingWords = ({ timing }: Pick<ScheduleListItem, "timing">) =>
  "cron" in timing ? `${timing.cron} · ${timing.timeZone}` : `every ${formatDuration(timing.everyMs)}`;

export function lookOfSchedule({ pausedAt, workers }: Pick<ScheduleListItem, "pausedAt" | "workers">): Look {
  if (pausedAt) return { shape: "pause", word: "Paused", tone: "quiet" };
  if (workers === 0) return { shape: "octagon", word: "No worker", tone: "amber" };
  return { shape: "clock", word: "Active", tone: "blue" };
}

export const FIRING_LOOKS = {
  started: { shape: "check", word: "Started", tone: "green" },
  queued: { shape: "dashes", word: "Queued", tone: "quiet" },
  skipped: { shape: "slash", word: "Skipped", tone: "quiet" },
  missed: { shape: "slash", word: "Missed", tone: "amber" },
  refused: { shape: "octagon", word: "Refused", tone: "red" },
} as const satisfies Record<Firing["status"], Look>;

export const CAUSE_WORDS = {
  time: "scheduled",
  person: "run manually",
  backfill: "by backfill",
} as const satisfies Record<Firing["cause"], string>;

export const OVERLAP_WORDS = {
  skip: "Skip the new run",
  queue: "Queue one until the earlier run ends",
  allow: "Run both",
  cancel: "Cancel the earlier run, then start",
} as const satisfies Record<Schedule["overlap"], string>;

export const MISSED_WORDS = {
  last: "Run only the latest",
  skip: "Run none",
  all: "Run all within the window",
} as const satisfies Record<Schedule["missed"], string>;

export const FIELD_WORDS: Record<string, string> = {
  timing: "times",
  input: "input",
  overlap: "overlap",
  missed: "missed times",
  missedWindowMs: "window of missed times",
};

/** Where its definition is. */
export const definedIn = ({ atRunTime }: Pick<ScheduleListItem, "atRunTime">) =>
  atRunTime ? "what it was made with" : "the code";

export const thisSchedule = ({ name, title }: { name: string; title: string }): Thing => ({
  name: title,
  href: `/schedules/${encodeURIComponent(name)}`,
});
