/** @type {import("next").NextConfig} */
export default {
  // The image optimiser is an attack surface this app has no use for.
  images: { unoptimized: true },
  poweredByHeader: false,
  // Without it, hot reload works on "localhost" only.
  allowedDevOrigins: ["127.0.0.1"],
};
