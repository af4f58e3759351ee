import { listRunEffects } from "@/lib/api/handlers/effects";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: listRunEffects });
