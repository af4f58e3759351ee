import { getDatabaseHealth } from "@/lib/api/handlers/flow";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: getDatabaseHealth });
