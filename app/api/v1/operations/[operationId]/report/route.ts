import { exportOperation } from "@/lib/api/handlers/operations";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: exportOperation });
