import { followChanges } from "@/lib/api/handlers/system";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: followChanges });
