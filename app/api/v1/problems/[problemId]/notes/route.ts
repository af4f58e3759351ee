import { noteProblem } from "@/lib/api/handlers/problems";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: noteProblem });
