/** No other site may frame the console, guess at what it serves, or learn which of its pages somebody came from. */
const SECURITY_HEADERS = [
  {
    key: "Content-Security-Policy",
    value: "frame-ancestors 'none'; base-uri 'none'; object-src 'none'; form-action 'self'",
  },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=()" },
];

/** @type {import("next").NextConfig} */
export default {
  // The image optimiser is an attack surface this app has no use for.
  images: { unoptimized: true },
  // Drives compare the database with the migrations that this version knows.
  outputFileTracingIncludes: { "/api/v1/worker/drives": ["./prisma/migrations/**"] },
  poweredByHeader: false,
  headers: async () => [{ source: "/(.*)", headers: SECURITY_HEADERS }],
  // Without it, hot reload works on "localhost" only.
  allowedDevOrigins: ["127.0.0.1"],
};
