import { testDestination } from "@/lib/api/handlers/destinations";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: testDestination });
