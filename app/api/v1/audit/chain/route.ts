import { verifyAudit } from "@/lib/api/handlers/audit";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: verifyAudit });
