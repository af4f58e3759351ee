import { signInToDemo } from "@/lib/api/handlers/access";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: signInToDemo });
