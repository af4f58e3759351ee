/** @type {import("next").NextConfig} */
export default {
  // The image optimiser is an attack surface this app has no use for.
  images: { unoptimized: true },
  // Drives compare the database with the migrations that this version knows.
  outputFileTracingIncludes: { "/api/v1/worker/drives": ["./prisma/migrations/**"] },
  poweredByHeader: false,
  // Without it, hot reload works on "localhost" only.
  allowedDevOrigins: ["127.0.0.1"],
};
