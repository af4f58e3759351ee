import { changeSandbox, readSandbox } from "@/lib/api/handlers/system";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: readSandbox, PUT: changeSandbox });
