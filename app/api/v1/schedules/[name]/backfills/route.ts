import { backfillSchedule, previewBackfill } from "@/lib/api/handlers/schedules";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: previewBackfill, POST: backfillSchedule });
