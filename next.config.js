import { fileURLToPath } from "node:url";
import securityHeaders from "./lib/api/http/security-headers.json" with { type: "json" };
import { fingerprintOf } from "./scripts/launch/sources.mjs";

const asList = (headers) => Object.entries(headers).map(([key, value]) => ({ key, value }));

/** @type {import("next").NextConfig} */
export default {
  // The image optimiser is an attack surface this app has no use for.
  images: { unoptimized: true },
  // Drives compare the database with the migrations that this version knows.
  outputFileTracingIncludes: { "/api/**": ["./prisma/migrations/**"] },
  // So that the launcher sees whether there is a build of what is here.
  generateBuildId: async () => fingerprintOf(fileURLToPath(new URL(".", import.meta.url))),
  poweredByHeader: false,
  headers: async () => [
    // No other site may frame the console, open it, load what it serves, guess at what that is, or learn where somebody came from.
    { source: "/(.*)", headers: asList(securityHeaders.everywhere) },
    // Of what is no page; pages get theirs, with a nonce, in proxy.ts.
    { source: "/(api|_next/static)/(.*)", headers: asList(securityHeaders.noPage) },
    { source: "/metrics", headers: asList(securityHeaders.noPage) },
  ],
  // A link that is followed while the console is away waits for it, instead of leaving for the browser's own error page.
  experimental: { useOffline: true },
  // Without it, hot reload works on "localhost" only.
  allowedDevOrigins: ["127.0.0.1"],
};
