import { runHistogram } from "@/lib/api/handlers/reads";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: runHistogram });
