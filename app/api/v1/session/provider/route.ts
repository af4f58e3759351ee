import { beginProviderSignIn } from "@/lib/api/handlers/provider-sign-in";
import { methods } from "@/lib/api/route";

export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: beginProviderSignIn });
