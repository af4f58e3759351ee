import { changeView } from "@/lib/api/handlers/views";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ PUT: changeView });
