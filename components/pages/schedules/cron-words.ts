import cronstrue from "cronstrue";
import type { ScheduleListItem } from "@/lib/api/contract/schedules";
import type { TimeStyle } from "@/lib/format/times";

/** "At 03:00, Monday through Friday", or "At 3:00 am, …"; null for what says it itself. */
export function cronWords(
  { timing }: Pick<ScheduleListItem, "timing">,
  { hours }: Pick<TimeStyle, "hours">,
): string | null {
  if (!("cron" in timing)) return null;
  const use24HourTimeFormat = hours === 24;
  return cronstrue
    .toString(timing.cron, {
      use24HourTimeFormat,
      trimHoursLeadingZero: !use24HourTimeFormat,
      throwExceptionOnParseError: false,
    })
    .replaceAll(/\b[AP]M\b/g, (half) => half.toLowerCase());
}
