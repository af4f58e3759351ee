import { listPlanApprovals } from "@/lib/api/handlers/plans";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: listPlanApprovals });
