import { resetSchedule } from "@/lib/api/handlers/schedules";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: resetSchedule });
