import type { NextConfig } from "next";

// Errors and registered workflows are known by their classes: one copy of Handrail a process.
export default { serverExternalPackages: ["handrail"] } satisfies NextConfig;
