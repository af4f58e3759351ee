import { requestPlanApproval } from "@/lib/api/handlers/plans";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: requestPlanApproval });
