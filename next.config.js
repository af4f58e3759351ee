/** No other site may frame the console, open it, load what it serves, guess at what that is, or learn where somebody came from. */
const EVERYWHERE = [
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "no-referrer" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  {
    key: "Permissions-Policy",
    value: "browsing-topics=(), camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  },
];

/** Of what is no page; those get theirs, with a nonce, in proxy.ts. */
const NO_PAGE = [
  {
    key: "Content-Security-Policy",
    value: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
];

/** @type {import("next").NextConfig} */
export default {
  // The image optimiser is an attack surface this app has no use for.
  images: { unoptimized: true },
  // Drives compare the database with the migrations that this version knows.
  outputFileTracingIncludes: { "/api/v1/worker/drives": ["./prisma/migrations/**"] },
  poweredByHeader: false,
  headers: async () => [
    { source: "/(.*)", headers: EVERYWHERE },
    { source: "/(api|_next/static)/(.*)", headers: NO_PAGE },
  ],
  // Without it, hot reload works on "localhost" only.
  allowedDevOrigins: ["127.0.0.1"],
};
