import cronstrue from "cronstrue";
import type { ScheduleListItem } from "@/lib/api/contract/schedules";

/** "At 03:00, Monday through Friday"; null for what says it itself. */
export const cronWords = ({ timing }: Pick<ScheduleListItem, "timing">): string | null =>
  "cron" in timing
    ? cronstrue.toString(timing.cron, { use24HourTimeFormat: true, throwExceptionOnParseError: false })
    : null;
