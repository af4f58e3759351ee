import { listViews, saveView } from "@/lib/api/handlers/views";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ GET: listViews, POST: saveView });
