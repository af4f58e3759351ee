import { unmask } from "@/lib/api/handlers/acts";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: unmask });
