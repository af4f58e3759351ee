import { recordUndo } from "@/lib/api/handlers/remote";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: recordUndo });
