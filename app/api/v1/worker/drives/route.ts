import { driveRuns } from "@/lib/api/handlers/drives";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: driveRuns });
