import { type NextRequest, NextResponse } from "next/server";
import { NONCE_HEADER, pagePolicy, transportSecurity } from "./lib/api/pages/page-policy";
import { serverEnv } from "./lib/server-env";

/**
 * What a browser is told of every page before it is rendered. Nothing is decided here about who may see it: each page and each
 * route asks that itself (lib/api/pages/page.ts, lib/api/http/route.ts).
 */
export function proxy(request: NextRequest): NextResponse {
  const env = serverEnv();
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = pagePolicy(nonce, env);
  const headers = new Headers(request.headers);
  headers.set(NONCE_HEADER, nonce);
  headers.set("content-security-policy", policy); // Next reads the nonce for its own scripts from it
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  const overHttps = transportSecurity(env);
  if (overHttps !== null) response.headers.set("strict-transport-security", overHttps);
  return response;
}

/** Pages, whatever their address; not the API and /metrics, which say it all themselves, nor built files. */
export const config = { matcher: "/((?!api/|metrics$|_next/static/).*)" };
